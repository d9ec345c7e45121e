// SPDX-License-Identifier: GPL-3.0-or-later
// The process of a session that lists and copies its files for tacetd: with the person's access to files, and no other right.
#pragma once

#include "session/file_tree.h"

namespace tacet {

// Returns the channel on which it takes, each with the channel for its one answer as first file: "files"; "keep" with the open
// file to write to, and the path as memory file. Answers are "done", for "files" with a memory file, or "failed CODE WHY"
// (ErrorCode's number). group: cgroup.procs of where it is to be.
Result<UniqueFd> start_keeper(const SessionRequest& request, const FileTree& tree, const UniqueFd& group);

} // namespace tacet
