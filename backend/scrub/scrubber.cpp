// SPDX-License-Identifier: GPL-3.0-or-later
#include "scrub/scrubber.h"

namespace tacet {

void scrub(std::span<char> bytes)
{
    for (char& byte : bytes) {
        const bool white = byte == ' ' || (byte >= '\t' && byte <= '\r');
        byte = white ? byte : 'x';
    }
}

} // namespace tacet
