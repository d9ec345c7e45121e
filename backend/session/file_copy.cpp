// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file_copy.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

namespace tacet {
namespace {

constexpr std::size_t part_size = 1U << 18;

const Error not_found{ErrorCode::NotFound, "no such file in the session"};
const Error not_regular{ErrorCode::NotRegular, "not a regular file"};

// /proc, /sys and the like have files that look regular, and files on a read-only mount are not the session's.
bool is_written_by_sessions(int file)
{
    struct statfs status{};
    constexpr std::array kinds{OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC, EXT4_SUPER_MAGIC};
    return fstatfs(file, &status) == 0 && std::ranges::find(kinds, status.f_type) != kinds.end()
           && (status.f_flags & ST_RDONLY) == 0;
}

Error open_failure()
{
    if (errno == ELOOP || errno == ENXIO)
        return not_regular;
    if (errno == EACCES || errno == EPERM)
        return {ErrorCode::NotOwner, "the session's person may not read this file"};
    return not_found;
}

bool takes_content(int to)
{
    struct stat status{};
    const int mode = fcntl(to, F_GETFL);
    return mode >= 0 && (mode & O_PATH) == 0 && (mode & O_ACCMODE) != O_RDONLY && fstat(to, &status) == 0
           && (S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode));
}

// on_progress is called before each write. An interrupted write returns the part that it wrote, and the next one would wait
// for ever.
Result<void> write_all(int to, const char* content, std::size_t size, void (*on_progress)())
{
    while (size > 0) {
        on_progress();
        const ssize_t written = write(to, content, size);
        if (written < 0 && errno == ENOSPC)
            return Error{ErrorCode::DiskFull, "no space is left where the file is kept"};
        if (written < 0 && (errno == EINTR || errno == EAGAIN))
            return Error{ErrorCode::Failed, "nobody takes the file's content"};
        if (written <= 0)
            return Error{ErrorCode::Failed, std::string("not written: ") + std::strerror(errno)};
        content += written;
        size -= static_cast<std::size_t>(written);
    }
    return {};
}

bool same_state(const struct stat& one, const struct stat& other)
{
    return one.st_size == other.st_size && one.st_mtim.tv_sec == other.st_mtim.tv_sec
           && one.st_mtim.tv_nsec == other.st_mtim.tv_nsec;
}

} // namespace

Result<UniqueFd> open_session_file(int root, const std::string& path)
{
    open_how how{};
    how.flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_IN_ROOT;
    UniqueFd file(static_cast<int>(syscall(SYS_openat2, root, path.c_str(), &how, sizeof(how))));
    struct stat status{};
    if (!file)
        return open_failure();
    if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
        return not_regular;
    if (!is_written_by_sessions(file.get()))
        return not_found;
    return file;
}

Result<void> copy_out(int from, int to, void (*on_progress)())
{
    struct stat before{};
    if (!takes_content(to))
        return Error{ErrorCode::InvalidArgument, "a file is kept in a regular file or a pipe, open for writing"};
    if (fstat(from, &before) != 0)
        return not_found;
    std::vector<char> part(part_size);
    // The copy stops at the file's first length. A program that writes to it all the time would otherwise make us copy for
    // ever.
    for (off_t at = 0; at < before.st_size;) {
        const auto wanted = std::min<std::size_t>(part_size, static_cast<std::size_t>(before.st_size - at));
        const ssize_t size = pread(from, part.data(), wanted, at);
        if (size <= 0)
            break;
        if (auto written = write_all(to, part.data(), static_cast<std::size_t>(size), on_progress); !written)
            return written;
        at += size;
    }
    struct stat after{};
    if (fstat(from, &after) != 0 || !same_state(before, after))
        return Error{ErrorCode::Failed, "the file was changed while it was copied"};
    return {};
}

} // namespace tacet
