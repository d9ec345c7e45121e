// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/bus_path.h"

#include <algorithm>
#include <charconv>
#include <format>

#include "common/text.h"

namespace tacet {
namespace {

constexpr std::string_view scheme = "file://";
constexpr std::string_view unescaped = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
constexpr std::size_t escape_size = 3; // "%ff"

} // namespace

std::string path_to_bus(std::string_view path)
{
    if (is_utf8(path))
        return std::string(path);
    std::string uri(scheme);
    for (const char letter : path) {
        if (unescaped.find(letter) != std::string_view::npos)
            uri += letter;
        else
            uri += std::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(letter)));
    }
    return uri;
}

std::string path_from_bus(std::string_view text)
{
    if (!text.starts_with(scheme))
        return std::string(text);
    std::string path;
    for (std::string_view rest = text.substr(scheme.size()); !rest.empty();) {
        if (rest.front() != '%') {
            path += rest.front();
            rest.remove_prefix(1);
            continue;
        }
        unsigned byte = 0;
        const char* limit = rest.data() + std::min(rest.size(), escape_size);
        const auto [end, error] = std::from_chars(rest.data() + 1, limit, byte, 16);
        if (error != std::errc() || end != rest.data() + escape_size)
            return std::string(text);
        path += static_cast<char>(byte);
        rest.remove_prefix(escape_size);
    }
    return path;
}

} // namespace tacet
