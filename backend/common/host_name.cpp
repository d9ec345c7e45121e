// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/host_name.h"

#include <algorithm>

namespace tacet {
namespace {

constexpr std::size_t name_max = 253;
constexpr std::size_t label_max = 63;

bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

bool is_name_letter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || is_digit(letter) || letter == '-' || letter == '_';
}

bool is_label(std::string_view label)
{
    return !label.empty() && label.size() <= label_max && std::ranges::all_of(label, is_name_letter) && label.front() != '-'
           && label.back() != '-';
}

} // namespace

std::optional<std::string> to_host_name(std::string_view text)
{
    if (text.ends_with('.'))
        text.remove_suffix(1);
    if (text.empty() || text.size() > name_max)
        return std::nullopt;
    std::string name(text);
    std::ranges::transform(name, name.begin(),
                           [](char letter) { return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter); });
    std::string_view rest = name;
    for (;;) {
        const std::size_t dot = rest.find('.');
        if (!is_label(rest.substr(0, dot)))
            return std::nullopt;
        if (dot == std::string_view::npos)
            break;
        rest.remove_prefix(dot + 1);
    }
    // Also 0x7f, which some resolvers take for a part of an address.
    if (is_digit(rest.front()))
        return std::nullopt;
    return name;
}

} // namespace tacet
