// SPDX-License-Identifier: GPL-3.0-or-later
// The key to an X server, as the file that -auth and XAUTHORITY name.
#pragma once

#include <array>
#include <string>

namespace tacet {

using XCookie = std::array<unsigned char, 16>; // MIT-MAGIC-COOKIE-1

// One entry that fits every address (Xau.h: FamilyWild).
std::string x_authority(const XCookie& cookie);

std::string to_hexadecimal(const XCookie& cookie);
// hexadecimal: 32 digits.
XCookie parse_cookie(const std::string& hexadecimal);

} // namespace tacet
