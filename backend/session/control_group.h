// SPDX-License-Identifier: GPL-3.0-or-later
// The control groups of a session: its unit's own, to which everything is charged, and two below that.
#pragma once

#include <string>

#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

// Holds cgroup.procs of the programs and of the helpers that serve them, and cgroup.events of the programs.
struct Groups {
    UniqueFd programs;
    UniqueFd helpers;
    UniqueFd programs_events;
};

// Returns the directory of the unit's group.
Result<std::string> own_group();
// own: that directory.
Result<Groups> make_groups(const std::string& own);
// events: of a group's cgroup.events. Returns true also when it cannot be read.
bool has_processes(int events);
// Kills what serves the session, and waits until it is gone, at most a second.
void kill_helpers(const std::string& own);

} // namespace tacet
