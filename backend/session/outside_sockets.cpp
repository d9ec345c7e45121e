// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/outside_sockets.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/unique_fd.h"
#include "session/kernel_session.h"
#include "session/program_environment.h"

namespace tacet {
namespace {

Error failure(const std::string& what)
{
    return {ErrorCode::Failed, what + ": " + std::strerror(errno)};
}

constexpr const char* system_bus_socket = "/run/dbus/system_bus_socket";

// This code runs as root, and the person's other programs may change these directories. So no link is followed, and the very
// file that was checked is mounted. Returns an empty descriptor if the person has no such socket.
UniqueFd find_socket(const std::string& path, uid_t owner)
{
    open_how how{};
    how.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
    how.resolve = RESOLVE_NO_SYMLINKS;
    UniqueFd file(static_cast<int>(syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof(how))));
    struct stat status{};
    const bool is_hers = file && fstat(file.get(), &status) == 0 && S_ISSOCK(status.st_mode) && status.st_uid == owner;
    return is_hers ? std::move(file) : UniqueFd();
}

Result<void> mount_socket(const UniqueFd& socket, const std::string& point, int kernel_session)
{
    if (auto allowed = allow_socket(kernel_session, socket); !allowed)
        return allowed;
    const UniqueFd place(open(point.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    const UniqueFd copy(open_tree(socket.get(), "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH));
    mount_attr change{};
    // Connecting works on a read-only mount, too. The file's mode and times are seen outside.
    change.attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_RDONLY;
    if (!place || !copy || mount_setattr(copy.get(), "", AT_EMPTY_PATH, &change, sizeof(change)) != 0
        || move_mount(copy.get(), "", place.get(), "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) != 0)
        return failure("no socket " + point);
    return {};
}

} // namespace

Result<void> bring_display_in(const SessionRequest& request, const std::string& root, int kernel_session)
{
    const std::string folder = "/tmp/.X11-unix";
    const std::string path = folder + "/X" + request.options.display.substr(1);
    const UniqueFd socket = find_socket(path, request.uid);
    if (!socket)
        return Error{ErrorCode::InvalidArgument, "no display " + request.options.display + " of this user's"};
    if (mkdir((root + folder).c_str(), 0700) != 0 || chmod((root + folder).c_str(), 01777) != 0)
        return failure(folder);
    return mount_socket(socket, root + path, kernel_session);
}

Result<void> bring_audio_in(const SessionRequest& request, const std::string& root, int kernel_session)
{
    const std::string own = runtime_directory(request);
    const std::string pulse = root + own + "/pulse";
    if (mkdir(pulse.c_str(), 0700) != 0 || chown(pulse.c_str(), request.uid, request.gid) != 0)
        return failure("no folder for the sound server");
    for (const char* name : {"/pipewire-0", "/pulse/native"}) {
        const UniqueFd socket = find_socket(own + name, request.uid);
        if (!socket)
            continue;
        if (auto mounted = mount_socket(socket, root + own + name, kernel_session); !mounted)
            return mounted;
    }
    return {};
}

Result<void> bring_ssh_agent_in(const SessionRequest& request, const std::string& root, int kernel_session)
{
    const UniqueFd socket = find_socket(request.options.ssh_agent, request.uid);
    return socket ? mount_socket(socket, root + ssh_agent_socket(request), kernel_session)
                  : Error{ErrorCode::InvalidArgument, "no socket " + request.options.ssh_agent + " of this user's"};
}

Result<void> allow_system_bus(int kernel_session)
{
    constexpr uid_t root = 0;
    const UniqueFd socket = find_socket(system_bus_socket, root);
    return socket ? allow_socket(kernel_session, socket) : Result<void>();
}

} // namespace tacet
