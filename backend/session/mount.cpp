// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/mount.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>

namespace tacet {
namespace {

Error failure(const std::string& what)
{
    return {errno == ENOSPC ? ErrorCode::DiskFull : ErrorCode::Failed, what + ": " + std::strerror(errno)};
}

} // namespace

Result<UniqueFd> make_mount(const char* type, const std::vector<MountOption>& options, unsigned attributes)
{
    const UniqueFd context(fsopen(type, FSOPEN_CLOEXEC));
    if (!context)
        return failure(std::string("no file system ") + type);
    for (const MountOption& option : options) {
        const bool flag = option.value.empty();
        const int status = fsconfig(context.get(), flag ? FSCONFIG_SET_FLAG : FSCONFIG_SET_STRING, option.name,
                                    flag ? nullptr : option.value.c_str(), 0);
        if (status != 0)
            return failure(std::string(type) + " option " + option.name);
    }
    if (fsconfig(context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
        return failure(std::string("no ") + type);
    UniqueFd mount(fsmount(context.get(), FSMOUNT_CLOEXEC, attributes));
    if (!mount)
        return failure(std::string("no mount of ") + type);
    return mount;
}

Result<void> attach(const UniqueFd& mount, const std::string& point)
{
    if (move_mount(mount.get(), "", AT_FDCWD, point.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0)
        return failure("nothing mounted on " + point);
    return {};
}

Result<void> mount_fresh(const char* type, const std::vector<MountOption>& options, unsigned attributes, const std::string& point)
{
    const auto mount = make_mount(type, options, attributes);
    return mount ? attach(*mount, point) : mount.error();
}

Result<void> bind(const std::string& source, const std::string& point, unsigned attributes, bool with_submounts)
{
    const unsigned recursive = with_submounts ? AT_RECURSIVE : 0;
    const UniqueFd copy(open_tree(AT_FDCWD, source.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | recursive));
    if (!copy)
        return failure("no " + source);
    mount_attr change{};
    change.attr_set = attributes;
    // The kernel wants the old answer to when a file was read last taken away before it takes a new one.
    change.attr_clr = (attributes & MOUNT_ATTR__ATIME) != 0 ? MOUNT_ATTR__ATIME : 0;
    if (mount_setattr(copy.get(), "", AT_EMPTY_PATH | recursive, &change, sizeof(change)) != 0)
        return failure("attributes of " + source);
    return attach(copy, point);
}

} // namespace tacet
