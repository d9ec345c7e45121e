// SPDX-License-Identifier: GPL-3.0-or-later
// The files that tell programs where names of hosts are looked up. A session has copies, which follow the machine's: another
// network has other servers.
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

class ResolverFiles {
public:
    // Makes the copies in the tree at root, which is not yet the root directory.
    Result<void> copy_into(const std::string& root);
    // Copies what has changed since the last call.
    void follow();

private:
    struct File {
        UniqueFd folder; // the machine's
        std::string name;
        UniqueFd copy;
        struct stat copied{}; // of the machine's file
    };

    Result<void> add(const std::string& path, const std::string& copy);

    std::vector<File> files_;
};

} // namespace tacet
