// SPDX-License-Identifier: GPL-3.0-or-later
// A terminal of the session's own in place of the person's: through that a program could type commands for other programs, and
// ask the terminal to.
#pragma once

#include "session/supervisor.h"

namespace tacet {

// Replaces those of the standard files that are terminals. Returns the other side of the new one, nothing when there was none.
Result<UniqueFd> take_own_terminal(Terminal& terminal, uid_t owner);
// Makes the caller the leader that its programs' process groups belong to: a group without one could not be stopped.
bool lead_terminal(const Terminal& terminal);
// For a child of the leader's, with its standard files and all signals blocked.
void become_terminal_job();

} // namespace tacet
