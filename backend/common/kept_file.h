// SPDX-License-Identifier: GPL-3.0-or-later
// A file of the person's own that a private session's file is copied to.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "common/unique_fd.h"

namespace tacet {

// It has another name until it is whole, and nothing is left of it when it is not committed.
class KeptFile {
public:
    // Makes it in the folder, never through a symbolic link. mode: permission bits, less the umask; set-id bits are not taken
    // over. Null: errno is set.
    static std::unique_ptr<KeptFile> make(UniqueFd folder, const std::string& name, mode_t mode);
    ~KeptFile();
    KeptFile(const KeptFile&) = delete;
    KeptFile& operator=(const KeptFile&) = delete;

    int file() const { return file_.get(); }
    // Gives it its permissions, time (Unix s) and name when it is on the disk. A file that had the name is replaced as a whole,
    // and only with `replace`. 0 or errno; EEXIST: the name is taken.
    int commit(std::uint64_t modified, bool replace);

private:
    KeptFile() = default;
    int give_name(bool replace);

    UniqueFd folder_;
    UniqueFd file_;
    mode_t mode_ = 0;
    std::string name_;
    std::string temporary_; // empty: nothing is to be removed
};

} // namespace tacet
