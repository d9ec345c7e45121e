// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/journal.h"

#include <cstdio>

#include "common/text.h"

namespace tacet {

void journal(Priority priority, std::string_view text)
{
    // A path may hold a line feed: unescaped it would forge a second journal line.
    const std::string line = escape_control(text);
    std::fprintf(stderr, "<%d>%s\n", static_cast<int>(priority), line.c_str());
}

} // namespace tacet
