// SPDX-License-Identifier: GPL-3.0-or-later
// The system calls that programs of a private session may not make, beyond the limits of its namespaces.
#pragma once

#include "common/session_request.h"

namespace tacet {

// Confines the session's PID 1: it is root without any right but to signal.
Result<void> confine_supervisor();
// Confines the session's keeper. It is a process of root's, so that no program of the session can touch it. It has no right
// but the person's access to files.
Result<void> confine_keeper(const SessionRequest& request);
// From now on this process, and what it starts, reaches neither signals nor abstract sockets of others. Processes that two calls
// confined cannot look at each other, either, which portals need. So there is one call for all that are to work together.
Result<void> confine_scope();
// Confines a process before it becomes a program: the person's identity, no new privileges, no core dumps, no kernel keyrings.
// There is no way back.
Result<void> confine_program(const SessionRequest& request);

} // namespace tacet
