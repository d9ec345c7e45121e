// SPDX-License-Identifier: GPL-3.0-or-later
// A FoundFile is a file that a look-up found, as it is now. Every check is made on the descriptor.
#pragma once

#include <string>

#include "common/lookup_message.h"
#include "daemon/core/question.h"

namespace tacet {

struct FoundFile {
    UniqueFd fd; // O_PATH
    FileKey key;
    FileIdentity identity;
    uid_t owner = 0;
    std::uint64_t size = 0;
    std::int64_t mtime = 0; // ns
    std::string path;       // led to it at the time of the look-up
};

// Returns the error of the look-up, or NotFound if the file was removed since.
Result<FoundFile> describe(Finding finding);
// Reads owner, size and time again.
Result<void> refresh(FoundFile& file);

} // namespace tacet
