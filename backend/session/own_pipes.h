// SPDX-License-Identifier: GPL-3.0-or-later
// Pipes of the session's own in place of the person's standard files that are no terminals. A file of the outside could be
// written to, truncated or marked whichever way it was opened, a folder leads to other files, and a socket takes descriptors in.
#pragma once

#include "session/supervisor.h"

namespace tacet {

// Replaces the standard files that are no terminals. Tells the client of the other sides, with one message for each: "input",
// "output" or "error". If output and error are the same file, they share a pipe, and "output" is told. /dev/null stays.
Result<void> take_own_pipes(Terminal& terminal);

} // namespace tacet
