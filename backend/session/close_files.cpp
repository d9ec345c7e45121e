// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/close_files.h"

#include <unistd.h>

#include <algorithm>

namespace tacet {

void close_all_but(std::vector<int> kept)
{
    std::ranges::sort(kept);
    unsigned from = 0;
    for (const int file : kept) {
        if (static_cast<unsigned>(file) > from)
            close_range(from, static_cast<unsigned>(file) - 1, 0);
        from = static_cast<unsigned>(file) + 1;
    }
    close_range(from, ~0U, 0);
}

} // namespace tacet
