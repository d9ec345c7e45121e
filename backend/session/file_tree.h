// SPDX-License-Identifier: GPL-3.0-or-later
// The file system that a private session sees. It is the machine's own, copied on write into one store. Places
// through which processes could meet are fresh.
#pragma once

#include "common/session_request.h"
#include "session/change_walk.h"
#include "session/resolver_files.h"

namespace tacet {

struct FileTree {
    UniqueFd store; // for fstatfs()
    UniqueFd root;
    std::vector<Layer> layers;
    ResolverFiles resolver;
};

// Builds the tree in the calling process's own mount, PID and IPC namespaces, and makes it the root. kernel_session: the
// descriptor of the kernel's session, or -1. passphrase: of the box, if the request names one.
Result<FileTree> enter_file_tree(const SessionRequest& request, int kernel_session, const UniqueFd& passphrase);

} // namespace tacet
