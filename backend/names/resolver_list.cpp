// SPDX-License-Identifier: GPL-3.0-or-later
#include "names/resolver_list.h"

#include <arpa/inet.h>

#include <array>
#include <fstream>
#include <sstream>

namespace tacet {
namespace {

constexpr std::size_t file_max = 64 * 1024;

std::string read_start(const std::string& path)
{
    std::string text(file_max, '\0');
    std::ifstream file(path);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

} // namespace

std::set<std::string> parse_resolvers(std::string_view text)
{
    std::set<std::string> addresses;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string key;
        std::string address;
        if (!(words >> key >> address) || key != "nameserver")
            continue;
        // fe80::1%eth0: packets have no interface's name.
        address.resize(std::min(address.find('%'), address.size()));
        std::array<unsigned char, sizeof(in6_addr)> bytes{};
        std::array<char, INET6_ADDRSTRLEN> spelled{};
        for (const int family : {AF_INET, AF_INET6}) {
            if (inet_pton(family, address.c_str(), bytes.data()) == 1)
                addresses.insert(inet_ntop(family, bytes.data(), spelled.data(), spelled.size()));
        }
    }
    return addresses;
}

bool ResolverList::contains(const std::string& address)
{
    const BootTime now = clock_.boottime();
    if (now >= read_again_) {
        addresses_.clear();
        for (const std::string& path : paths_)
            addresses_.merge(parse_resolvers(read_start(path)));
        // Without a line the C library asks this machine.
        if (addresses_.empty())
            addresses_ = {"127.0.0.1"};
        read_again_ = now + std::chrono::seconds(1);
    }
    return addresses_.contains(address);
}

} // namespace tacet
