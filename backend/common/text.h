// SPDX-License-Identifier: GPL-3.0-or-later
// Text that came from elsewhere, made fit for D-Bus (valid UTF-8) and for terminals (no control characters).
#pragma once

#include <string>
#include <string_view>

namespace tacet {

bool is_utf8(std::string_view text);
// Each byte that is not part of valid UTF-8 becomes U+FFFD.
std::string to_utf8(std::string_view text);
// Control characters (C0, DEL, C1, bidirectional overrides) and invalid bytes become \xHH; needs no terminal state to read.
std::string escape_control(std::string_view text);
// Decimal number of the whole text, within the limit.
bool parse_number(std::string_view text, unsigned long long limit, unsigned long long& ret_number);

} // namespace tacet
