// SPDX-License-Identifier: GPL-3.0-or-later
// Tells whether a text is a host's name. Names from the network are untrusted: one that could be taken for an address, a pattern
// or another name is none.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tacet {

// The name in lower case without the final dot, as rules spell it; nothing when it is not letters, digits, hyphens and
// underscores in labels of up to 63, or when it ends in a number and so may be an address. An international name is punycode
// already.
std::optional<std::string> to_host_name(std::string_view text);

} // namespace tacet
