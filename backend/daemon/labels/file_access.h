// SPDX-License-Identifier: GPL-3.0-or-later
// Finds files that clients name, so that no game with links and renames can win. The caller's rights hold for the way there,
// and every check is on the descriptor.
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

// Finds a regular file. Returns NotFound, NotRegular, InvalidPath, or NotOwner if the caller may not even search the way
// there.
Result<FoundFile> find_file(const std::string& path, const Caller& caller);
// Does the same with the daemon's own rights.
Result<FoundFile> find_file(const std::string& path);
Result<FoundFile> describe(UniqueFd fd);

// Returns an opaque name of an inode that survives renames, or nothing if the file system has none.
std::vector<std::uint8_t> handle_of(const FoundFile& file);
// path: any path on that file system, or one with a parent there.
Result<FoundFile> find_by_handle(const std::vector<std::uint8_t>& handle, const std::string& path);

} // namespace tacet
