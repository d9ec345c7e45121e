// SPDX-License-Identifier: GPL-3.0-or-later
// The system calls that programs of a private session may not make, beyond the limits of its namespaces.
#pragma once

#include "common/session_request.h"

namespace tacet {

// For the session's PID 1: root without any right but to signal.
Result<void> confine_supervisor();
// For the session's keeper: root's process, so that no program of the session's can touch it, without any right, and the person's
// access to files.
Result<void> confine_keeper(const SessionRequest& request);
// For a program that is to be: the person's identity, no new privileges, no core dumps, no signals or abstract sockets out of the
// session, no kernel keyrings. Does not return to what it was.
Result<void> confine_program(const SessionRequest& request);

} // namespace tacet
