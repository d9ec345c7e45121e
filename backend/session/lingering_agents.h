// SPDX-License-Identifier: GPL-3.0-or-later
// Programs such as gpg-agent, which others start and leave behind. They serve nobody when the session's programs have ended.
#pragma once

#include <string_view>

namespace tacet {

// processes: the text of a cgroup.procs. Returns whether it holds processes, and all of them are such agents.
bool are_lingering_agents(std::string_view processes);

} // namespace tacet
