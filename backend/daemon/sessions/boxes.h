// SPDX-License-Identifier: GPL-3.0-or-later
// The boxes that people have (common/box.h), as files. What is in them only a session with the passphrase knows.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/box.h"
#include "common/clock.h"
#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

struct Box {
    std::string name;
    std::uint64_t size = 0; // bytes that it may hold
    std::uint64_t used = 0; // bytes that it takes on the disk
    UnixTime changed = 0;
    std::uint64_t session = 0; // the one that uses it; 0: none
};

class Boxes {
public:
    // folder: has a folder for each owner.
    explicit Boxes(std::string folder) : folder_(std::move(folder)) {}

    // Sorted by name. The sessions are not known here.
    std::vector<Box> list(uid_t owner) const;
    // Errors: NotFound, Failed (in use, or the disk).
    Result<void> remove(uid_t owner, const std::string& name) const;

private:
    UniqueFd open_folder(uid_t owner) const;

    std::string folder_;
};

} // namespace tacet
