// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/found_file.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace tacet {

Result<FoundFile> describe(Finding finding)
{
    if (finding.presence != Presence::Kept)
        return finding.error;
    FoundFile file;
    file.fd = std::move(finding.file);
    file.key = std::move(finding.key);
    file.path = std::move(finding.path);
    if (auto read = refresh(file); !read)
        return read.error();
    return file;
}

Result<void> refresh(FoundFile& file)
{
    struct stat status{};
    if (fstat(file.fd.get(), &status) != 0)
        return Error{ErrorCode::Failed, std::strerror(errno)};
    if (!S_ISREG(status.st_mode))
        return Error{ErrorCode::NotRegular, "not a regular file"};
    if (status.st_nlink == 0)
        return Error{ErrorCode::NotFound, "the file was deleted"};
    file.identity = {status.st_dev, status.st_ino};
    file.owner = status.st_uid;
    file.size = static_cast<std::uint64_t>(status.st_size);
    file.mtime = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    return {};
}

} // namespace tacet
