// SPDX-License-Identifier: GPL-3.0-or-later
// memory lifetime: runs a program under Valgrind with our tool (backend/lifetime), and shows how long data lived on its heap.
#pragma once

#include "cli/arguments.h"

namespace tacet::cli {

// Returns the program's exit status, or 128 and the number of the signal that ended it. Throws std::runtime_error without
// Valgrind.
int run_lifetime(const Arguments& arguments);

} // namespace tacet::cli
