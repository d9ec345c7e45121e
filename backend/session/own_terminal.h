// SPDX-License-Identifier: GPL-3.0-or-later
// A terminal of the session's own in place of the person's. Through the person's terminal a program could type commands for
// other programs, or have the terminal do so.
#pragma once

#include "session/supervisor.h"

namespace tacet {

// Replaces the standard files that are terminals. Returns the other side of the new terminal, or an empty descriptor if there
// was none.
Result<UniqueFd> take_own_terminal(Terminal& terminal, uid_t owner);
// Makes the caller the leader of the session to which its programs' process groups belong. A group without one could not be
// stopped.
bool lead_terminal(const Terminal& terminal);
// Makes a child of the leader's a job of the terminal. It has its standard files, and all signals blocked.
void become_terminal_job();

} // namespace tacet
