// SPDX-License-Identifier: GPL-3.0-or-later
// Reads from /proc the facts that a question shows of its process. A program can make this wait, as its arguments are in its own
// memory and its file may be on a server.
#pragma once

#include "common/lookup_message.h"

namespace tacet::lookup {

// All fields are empty if the process is gone, or if the pid is another process's.
ProcessFacts inspect(pid_t pid, BootTime start);

} // namespace tacet::lookup
