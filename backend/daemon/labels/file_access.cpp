// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/file_access.h"

#include <fcntl.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>

namespace tacet {
namespace {

// During one look-up the daemon has the caller's rights. It makes the raw call, as glibc's setgroups would signal threads, and
// there is only this one.
class CallerRights {
public:
    explicit CallerRights(const Caller& caller) : active_(!caller.is_root() && geteuid() == 0)
    {
        if (!active_)
            return;
        syscall(SYS_setgroups, caller.groups.size(), caller.groups.data());
        setfsgid(caller.groups.empty() ? no_group : caller.groups.front());
        setfsuid(caller.uid); // also gives up the capabilities that override permissions
    }
    ~CallerRights()
    {
        if (!active_)
            return;
        setfsuid(0);
        setfsgid(0);
        syscall(SYS_setgroups, 0, nullptr);
    }
    CallerRights(const CallerRights&) = delete;
    CallerRights& operator=(const CallerRights&) = delete;

private:
    static constexpr gid_t no_group = 65534;
    bool active_;
};

std::string link_of(int fd)
{
    return "/proc/self/fd/" + std::to_string(fd);
}

Error error_of(int number)
{
    const std::string message = std::strerror(number);
    switch (number) {
    case ENOENT:
    case ENOTDIR:
    case ESTALE:
        return {ErrorCode::NotFound, "no such file"};
    case EACCES:
    case EPERM:
        return {ErrorCode::NotOwner, "not a file of yours"};
    case ENAMETOOLONG:
    case ELOOP:
        return {ErrorCode::InvalidPath, message};
    case ENXIO:
        return {ErrorCode::NotRegular, "not a regular file"};
    default:
        return {ErrorCode::Failed, message};
    }
}

Result<void> check_path(const std::string& path)
{
    if (path.empty() || path.front() != '/')
        return Error{ErrorCode::InvalidPath, "not an absolute path"};
    if (path.size() >= PATH_MAX || path.find('\0') != std::string::npos)
        return Error{ErrorCode::InvalidPath, "not a valid path"};
    return {};
}

UniqueFd open_path(const std::string& path)
{
    return UniqueFd(open(path.c_str(), O_PATH | O_CLOEXEC));
}

UniqueFd open_path_as(const std::string& path, const Caller& caller)
{
    const CallerRights rights(caller);
    return open_path(path);
}

struct Handle {
    alignas(file_handle) std::array<unsigned char, sizeof(file_handle) + MAX_HANDLE_SZ> storage{};
    file_handle* get() { return reinterpret_cast<file_handle*>(storage.data()); }
};

} // namespace

Result<FoundFile> describe(UniqueFd fd)
{
    struct stat status{};
    if (fstat(fd.get(), &status) != 0)
        return error_of(errno);
    if (S_ISDIR(status.st_mode))
        return Error{ErrorCode::NotRegular, "a directory; name the files in it"};
    if (!S_ISREG(status.st_mode))
        return Error{ErrorCode::NotRegular, "not a regular file"};
    if (status.st_nlink == 0)
        return Error{ErrorCode::NotFound, "the file was deleted"};
    std::error_code failure;
    FoundFile file;
    file.path = std::filesystem::read_symlink(link_of(fd.get()), failure).string();
    if (failure)
        return Error{ErrorCode::NotFound, failure.message()};
    file.identity = {status.st_dev, status.st_ino};
    file.owner = status.st_uid;
    file.size = static_cast<std::uint64_t>(status.st_size);
    file.mtime = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    file.fd = std::move(fd);
    return file;
}

Result<FoundFile> find_file(const std::string& path, const Caller& caller)
{
    if (auto valid = check_path(path); !valid)
        return valid.error();
    UniqueFd fd = open_path_as(path, caller);
    if (!fd)
        return error_of(errno);
    return describe(std::move(fd));
}

Result<FoundFile> find_file(const std::string& path)
{
    if (auto valid = check_path(path); !valid)
        return valid.error();
    UniqueFd fd = open_path(path);
    if (!fd)
        return error_of(errno);
    return describe(std::move(fd));
}

std::vector<std::uint8_t> handle_of(const FoundFile& file)
{
    Handle handle;
    handle.get()->handle_bytes = MAX_HANDLE_SZ;
    int mount = 0;
    if (name_to_handle_at(file.fd.get(), "", handle.get(), &mount, AT_EMPTY_PATH) != 0)
        return {};
    const std::size_t size = sizeof(file_handle) + handle.get()->handle_bytes;
    return {handle.storage.begin(), handle.storage.begin() + static_cast<std::ptrdiff_t>(size)};
}

Result<FoundFile> find_by_handle(const std::vector<std::uint8_t>& bytes, const std::string& path)
{
    Handle handle;
    if (bytes.size() < sizeof(file_handle) || bytes.size() > handle.storage.size())
        return Error{ErrorCode::NotFound, "no such file"};
    std::ranges::copy(bytes, handle.storage.begin());
    if (handle.get()->handle_bytes != bytes.size() - sizeof(file_handle))
        return Error{ErrorCode::NotFound, "no such file"};
    std::filesystem::path parent = std::filesystem::path(path).parent_path();
    UniqueFd mount;
    for (; !mount; parent = parent.parent_path()) {
        mount = UniqueFd(open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!parent.has_relative_path())
            break;
    }
    UniqueFd fd(open_by_handle_at(mount.get(), handle.get(), O_PATH | O_CLOEXEC));
    if (!fd)
        return error_of(errno);
    return describe(std::move(fd));
}

} // namespace tacet
