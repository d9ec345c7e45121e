// SPDX-License-Identifier: GPL-3.0-or-later
// The caller's session, as logind sees it.
#pragma once

#include "daemon/core/caller.h"

namespace tacet {

// Tells whether the caller sits before the screen. Its session is local and active; for a process of the user's manager that
// is the user's graphical one. Without logind nobody can tell, and the uid alone has to do.
bool is_in_active_session(const Caller& caller);

} // namespace tacet
