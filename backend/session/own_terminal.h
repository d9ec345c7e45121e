// SPDX-License-Identifier: GPL-3.0-or-later
// A terminal of the session's own in place of the person's: through that a program could type commands for other programs, and
// ask the terminal to.
#pragma once

#include "session/supervisor.h"

namespace tacet {

// Replaces those of the standard files that are terminals. Returns the other side of the new one, nothing when there was none.
Result<UniqueFd> take_own_terminal(Terminal& terminal, uid_t owner);
// For the leader of a process session: the terminal among its standard files is its controlling one.
void control_terminal();

} // namespace tacet
