// SPDX-License-Identifier: GPL-3.0-or-later
// A session's way to the system bus: a process outside of it, which lets through what system_bus_policy allows. Signals, replies
// and files of the session's programs reach nobody. (xdg-dbus-proxy lets broadcast signals out, whatever its rules.)
#pragma once

#include "common/session_request.h"
#include "common/unique_fd.h"

namespace tacet {

// Before the session's namespaces are made. group: cgroup.procs of where it is to be. It runs until the channel that is returned
// is closed.
Result<UniqueFd> start_system_bus(const SessionRequest& request, const UniqueFd& group);

// From within the session's file tree: gives the process the socket that programs connect to.
Result<void> offer_system_bus(int channel);

} // namespace tacet
