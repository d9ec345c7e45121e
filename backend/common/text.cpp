// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/text.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>

namespace tacet {
namespace {

struct Character {
    std::size_t length = 0; // 0: not valid UTF-8
    char32_t code = 0;
};

Character decode(std::string_view text)
{
    const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return {1, first};
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length)
        return {};
    char32_t code = first & (0x7f >> length);
    for (std::size_t index = 1; index < length; ++index) {
        if ((byte(index) & 0xc0) != 0x80)
            return {};
        code = (code << 6) | (byte(index) & 0x3f);
    }
    constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    if (code < smallest[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return {};
    return {length, code};
}

bool is_unsafe(char32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e)
           || (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f || code == 0x2028 || code == 0x2029;
}

void append_escaped(std::string& output, std::string_view bytes)
{
    for (const char byte : bytes) {
        std::array<char, 5> buffer{};
        std::snprintf(buffer.data(), buffer.size(), "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
        output += buffer.data();
    }
}

} // namespace

bool is_utf8(std::string_view text)
{
    while (!text.empty()) {
        const Character character = decode(text);
        if (character.length == 0 || character.code == 0)
            return false;
        text.remove_prefix(character.length);
    }
    return true;
}

std::string to_utf8(std::string_view text)
{
    std::string output;
    output.reserve(text.size());
    while (!text.empty()) {
        const Character character = decode(text);
        const bool valid = character.length > 0 && character.code != 0;
        output += valid ? text.substr(0, character.length) : std::string_view("\xef\xbf\xbd");
        text.remove_prefix(valid ? character.length : 1);
    }
    return output;
}

std::string escape_control(std::string_view text)
{
    std::string output;
    output.reserve(text.size());
    while (!text.empty()) {
        const Character character = decode(text);
        const std::size_t length = character.length > 0 ? character.length : 1;
        if (character.length == 0 || is_unsafe(character.code))
            append_escaped(output, text.substr(0, length));
        else
            output += text.substr(0, length);
        text.remove_prefix(length);
    }
    return output;
}

bool parse_number(std::string_view text, unsigned long long limit, unsigned long long& ret_number)
{
    unsigned long long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number > limit)
        return false;
    ret_number = number;
    return true;
}

} // namespace tacet
