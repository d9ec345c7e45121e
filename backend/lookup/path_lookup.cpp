// SPDX-License-Identifier: GPL-3.0-or-later
#include "lookup/path_lookup.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>

#include "common/file_name.h"
#include "lookup/file_system.h"

namespace tacet::lookup {
namespace {

// During one look-up this process has the asker's rights. It makes the raw call, as glibc's setgroups would signal threads, and
// there is only this one.
class AskersRights {
public:
    explicit AskersRights(const PathAsker& asker) : active_(!asker.with_all_rights && asker.uid != 0 && geteuid() == 0)
    {
        if (!active_)
            return;
        prctl(PR_GET_PDEATHSIG, &signal_);
        syscall(SYS_setgroups, asker.groups.size(), asker.groups.data());
        setfsgid(asker.groups.empty() ? no_group : asker.groups.front());
        setfsuid(asker.uid); // this also gives up the capabilities that override permissions
        end_with_parent();
    }
    ~AskersRights()
    {
        if (!active_)
            return;
        setfsuid(0);
        setfsgid(0);
        syscall(SYS_setgroups, 0, nullptr);
        end_with_parent();
    }
    AskersRights(const AskersRights&) = delete;
    AskersRights& operator=(const AskersRights&) = delete;

private:
    static constexpr gid_t no_group = 65534;

    // The kernel forgets this at each change of rights.
    void end_with_parent() const { prctl(PR_SET_PDEATHSIG, signal_); }

    bool active_;
    int signal_ = 0; // comes when the parent ends
};

Finding failed(ErrorCode code, const char* message)
{
    Finding finding;
    finding.error = {code, message};
    return finding;
}

Finding failed(int number)
{
    switch (number) {
    case ENOENT:
    case ENOTDIR:
    case ESTALE:
        return failed(ErrorCode::NotFound, "no such file");
    case EACCES:
    case EPERM:
        return failed(ErrorCode::NotOwner, "not a file of yours");
    case ENAMETOOLONG:
    case ELOOP:
        return failed(ErrorCode::InvalidPath, std::strerror(number));
    case ENXIO:
        return failed(ErrorCode::NotRegular, "not a regular file");
    default:
        return failed(ErrorCode::Failed, std::strerror(number));
    }
}

// In a mount namespace of one's own, a path may lead to any file that one can mount there. Returns what the path leads to for the
// asker, or nothing with errno.
UniqueFd open_as_seen_by(const PathAsker& asker, const std::string& path)
{
    const UniqueFd root(open(("/proc/" + std::to_string(asker.pid) + "/root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_IN_ROOT;
    if (!root)
        return UniqueFd();
    const AskersRights rights(asker);
    return UniqueFd(static_cast<int>(syscall(SYS_openat2, root.get(), path.c_str(), &how, sizeof(how))));
}

std::string link_of(int fd)
{
    return "/proc/self/fd/" + std::to_string(fd);
}

} // namespace

Finding name_file(UniqueFd file, std::string path)
{
    // Only a file that is opened for reading tells the name of its file system.
    const UniqueFd opened(open(link_of(file.get()).c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    Finding finding;
    if (!opened)
        return failed(errno);
    finding.key = {file_system_of(opened.get()), handle_of(file.get())};
    if (finding.key.file_system.empty() || finding.key.handle.empty())
        return failed(ErrorCode::NoXattr, "this file system does not name its files");
    finding.presence = Presence::Kept;
    finding.error = {};
    finding.path = std::move(path);
    finding.file = std::move(file);
    return finding;
}

Finding find_path(const std::string& path, const PathAsker& asker)
{
    if (!is_file_name(path))
        return failed(ErrorCode::InvalidPath, "not the absolute path of a file, without . and .., outside /proc");
    UniqueFd file;
    {
        const AskersRights rights(asker);
        file = UniqueFd(open(path.c_str(), O_PATH | O_CLOEXEC));
    }
    struct stat status{};
    if (!file || fstat(file.get(), &status) != 0)
        return failed(errno);
    if (S_ISDIR(status.st_mode))
        return failed(ErrorCode::NotRegular, "a directory; name the files in it");
    if (!S_ISREG(status.st_mode))
        return failed(ErrorCode::NotRegular, "not a regular file");
    if (!is_of_this_machine(file.get()))
        return failed(ErrorCode::NoXattr, "this file system cannot carry a label");
    const UniqueFd seen = open_as_seen_by(asker, path);
    if (!seen && errno != ENOENT && errno != ENOTDIR && errno != EACCES && errno != ELOOP)
        return failed(errno);
    if (!seen || !is_same(seen.get(), file.get()))
        return failed(ErrorCode::InvalidPath, "the path leads to another file where you are");
    std::error_code failure;
    std::string real = std::filesystem::read_symlink(link_of(file.get()), failure).string();
    if (failure || status.st_nlink == 0)
        return failed(ErrorCode::NotFound, "the file was deleted");
    return name_file(std::move(file), std::move(real));
}

} // namespace tacet::lookup
