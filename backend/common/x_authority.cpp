// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/x_authority.h"

#include <charconv>
#include <format>

namespace tacet {

std::string x_authority(const XCookie& cookie)
{
    const std::string name = "MIT-MAGIC-COOKIE-1";
    // Family, then address, display number, name and data, each after its length: 16 bits, big-endian.
    std::string entry{'\xff', '\xff', 0, 0, 0, 0, 0, static_cast<char>(name.size())};
    entry += name;
    entry += {0, static_cast<char>(cookie.size())};
    entry.append(cookie.begin(), cookie.end());
    return entry;
}

std::string to_hexadecimal(const XCookie& cookie)
{
    std::string digits;
    for (const unsigned char byte : cookie)
        digits += std::format("{:02x}", byte);
    return digits;
}

XCookie parse_cookie(const std::string& hexadecimal)
{
    XCookie cookie{};
    for (std::size_t i = 0; i < cookie.size() && 2 * i + 1 < hexadecimal.size(); ++i)
        std::from_chars(hexadecimal.data() + 2 * i, hexadecimal.data() + 2 * i + 2, cookie[i], 16);
    return cookie;
}

} // namespace tacet
