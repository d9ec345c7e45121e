// SPDX-License-Identifier: GPL-3.0-or-later
// The process of a session that lists and copies its files for tacetd. It has the person's access to files, and no other
// right.
#pragma once

#include "session/file_tree.h"

namespace tacet {

// Returns the channel for requests. Each request has, as its first file, the channel for its one answer. "files" has nothing
// more, and "keep" has the open file to write to and the path as a memory file.
// The answers are "done", for "files" with a memory file, or "failed CODE WHY" (ErrorCode's number). group: cgroup.procs of
// the keeper's group.
Result<UniqueFd> start_keeper(const SessionRequest& request, const FileTree& tree, const UniqueFd& group);

} // namespace tacet
