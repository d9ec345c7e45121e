// SPDX-License-Identifier: GPL-3.0-or-later
// The file of the person's own that a private session's file is copied to.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "common/unique_fd.h"

namespace tacet::cli {

// Made anew, never through a symbolic link; an existing file is replaced as a whole, and only with `replace`. Unless it was
// finished nothing is left of it. Everything throws std::runtime_error, whose message names no path.
class KeptFile {
public:
    // Makes missing folders.
    KeptFile(const std::string& path, bool replace);
    ~KeptFile();
    KeptFile(const KeptFile&) = delete;
    KeptFile& operator=(const KeptFile&) = delete;

    int file() const { return file_.get(); }
    // mode: permission bits; set-id bits are not taken over. modified: Unix s.
    void finish(mode_t mode, std::uint64_t modified);

private:
    UniqueFd folder_;
    UniqueFd file_;
    std::string name_;
    std::string made_; // the name that it has until it is finished
};

} // namespace tacet::cli
