// SPDX-License-Identifier: GPL-3.0-or-later
// Files that clients name, looked up so that no game with links and renames can win: rights of the caller for the way there,
// and every check on the descriptor.
#pragma once

#include <string>
#include <vector>

#include "common/result.h"
#include "common/unique_fd.h"
#include "daemon/core/caller.h"
#include "daemon/core/question.h"

namespace tacet {

struct FoundFile {
    UniqueFd fd; // O_PATH
    FileIdentity identity;
    uid_t owner = 0;
    std::uint64_t size = 0;
    std::int64_t mtime = 0; // ns
    std::string path;       // real path at the time of the look-up
};

// A regular file. NotFound, NotRegular, InvalidPath; NotOwner when the caller may not even search the way there.
Result<FoundFile> find_file(const std::string& path, const Caller& caller);
// The same with the daemon's own rights.
Result<FoundFile> find_file(const std::string& path);
Result<FoundFile> describe(UniqueFd fd);

// Opaque name of an inode that survives renames; empty where the file system has none.
std::vector<std::uint8_t> handle_of(const FoundFile& file);
// path: any path on that file system, or one of which some parent is.
Result<FoundFile> find_by_handle(const std::vector<std::uint8_t>& handle, const std::string& path);

} // namespace tacet
