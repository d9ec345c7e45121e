// SPDX-License-Identifier: GPL-3.0-or-later
// A session's way to the system bus: a filter outside of it, through which it can read a few things and tell nobody anything.
#pragma once

#include <string>

#include "session/request.h"
#include "util/unique_fd.h"

namespace tacet {

// Where the filter listens until the session's file tree has taken the socket in.
std::string system_bus_folder(const SessionRequest& request);

// Before the session's namespaces are made. group: cgroup.procs of where it is to be. It runs until what is returned is closed;
// nothing is returned when there is no filter on this machine: then there is no system bus in the session.
UniqueFd start_system_bus(const SessionRequest& request, const UniqueFd& group);

} // namespace tacet
