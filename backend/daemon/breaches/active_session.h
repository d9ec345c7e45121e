// SPDX-License-Identifier: GPL-3.0-or-later
// logind's view of a caller.
#pragma once

#include "daemon/core/caller.h"

namespace tacet {

// Sits before the screen: its session, or for a process of the user's manager the user's graphical one, is local and active.
// Without logind nobody can tell, and the uid alone has to do.
bool is_in_active_session(const Caller& caller);

} // namespace tacet
