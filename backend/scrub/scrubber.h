// SPDX-License-Identifier: GPL-3.0-or-later
// The generic scrubber: same size, same white space, nothing else.
#pragma once

#include <span>

namespace tacet {

// Each byte that is not white space (space, \t \n \v \f \r) becomes 'x'. Scrubbing twice changes nothing more.
void scrub(std::span<char> bytes);

} // namespace tacet
