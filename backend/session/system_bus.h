// SPDX-License-Identifier: GPL-3.0-or-later
// A session's way to the system bus. It is a process outside of the session, which lets through what system_bus_policy allows.
// Signals, replies and files of the session's programs reach nobody. (xdg-dbus-proxy lets broadcast signals out, whatever its
// rules.)
#pragma once

#include "common/session_request.h"
#include "common/unique_fd.h"

namespace tacet {

// Starts the process before the session's namespaces are made. group: cgroup.procs of the process's group. The process runs
// until the returned channel is closed.
Result<UniqueFd> start_system_bus(const SessionRequest& request, const UniqueFd& group);

// Gives the process the socket that programs connect to. This is called from within the session's file tree.
Result<void> offer_system_bus(int channel);

} // namespace tacet
