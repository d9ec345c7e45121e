// SPDX-License-Identifier: GPL-3.0-or-later
// The file system that a private session sees: the machine's own, copied on write into one store that is memory, and fresh places
// for everything through which processes could meet.
#pragma once

#include "common/session_request.h"
#include "session/change_walk.h"

namespace tacet {

struct FileTree {
    UniqueFd store; // for fstatfs()
    UniqueFd root;
    std::vector<Layer> layers;
};

// Builds it in the calling process's own mount, PID and IPC namespaces and makes it the root. kernel_session: the descriptor of
// the kernel's session, or -1.
Result<FileTree> enter_file_tree(const SessionRequest& request, int kernel_session);

} // namespace tacet
