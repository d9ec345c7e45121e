// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/name_message.h"

#include <arpa/inet.h>

#include <array>
#include <sstream>

#include "common/host_name.h"
#include "common/text.h"

namespace tacet {
namespace {

constexpr const char* watching_word = "watching";
constexpr const char* blind_word = "blind";
constexpr const char* catch_up_word = "catch-up";
constexpr const char* name_word = "name";

struct Writer {
    std::string operator()(const WatchState& state) const { return state.watching ? watching_word : blind_word; }
    std::string operator()(const CatchUp& request) const
    {
        return std::string(catch_up_word) + ' ' + std::to_string(request.number);
    }
    std::string operator()(const LearnedName& learned) const
    {
        return std::string(name_word) + ' ' + learned.address + ' ' + std::to_string(learned.seconds) + ' ' + learned.name;
    }
};

bool is_address(const std::string& text)
{
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    return inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

std::optional<NameMessage> parse_learned(std::istringstream& words)
{
    LearnedName learned;
    std::string seconds;
    std::string name;
    unsigned long long number = 0;
    if (!(words >> learned.address >> seconds >> name) || !is_address(learned.address)
        || !parse_number(seconds, UINT32_MAX, number))
        return std::nullopt;
    auto valid = to_host_name(name);
    if (!valid)
        return std::nullopt;
    learned.name = std::move(*valid);
    learned.seconds = static_cast<std::uint32_t>(number);
    return learned;
}

} // namespace

std::string to_text(const NameMessage& message)
{
    return std::visit(Writer(), message);
}

std::optional<NameMessage> parse_name_message(std::string_view text)
{
    std::istringstream words{std::string(text)};
    std::string word;
    words >> word;
    if (word == watching_word || word == blind_word)
        return WatchState{word == watching_word};
    if (word == name_word)
        return parse_learned(words);
    std::string digits;
    unsigned long long number = 0;
    if (word == catch_up_word && words >> digits && parse_number(digits, UINT64_MAX, number))
        return CatchUp{number};
    return std::nullopt;
}

} // namespace tacet
