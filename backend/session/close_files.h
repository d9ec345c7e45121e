// SPDX-License-Identifier: GPL-3.0-or-later
// Helps a process that was forked and goes on without exec.
#pragma once

#include <vector>

namespace tacet {

// Closes every open file of the process but these.
void close_all_but(std::vector<int> kept);

} // namespace tacet
