// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/sessions/boxes.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tacet {
namespace {

// Whatever may hold the key in the header is overwritten, and is on the disk before the file goes.
bool spoil_header(const UniqueFd& file)
{
    const std::vector<char> nothing(box_header_size);
    return pwrite(file.get(), nothing.data(), nothing.size(), 0) == static_cast<ssize_t>(nothing.size())
           && fdatasync(file.get()) == 0;
}

} // namespace

UniqueFd Boxes::open_folder(uid_t owner) const
{
    return UniqueFd(open(boxes_of(folder_, owner).c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

std::vector<Box> Boxes::list(uid_t owner) const
{
    constexpr std::uint64_t block = 512;
    const UniqueFd folder = open_folder(owner);
    std::vector<Box> boxes;
    std::error_code none; // a person without a folder has no boxes
    for (const auto& entry : std::filesystem::directory_iterator(boxes_of(folder_, owner), none)) {
        const std::string name = entry.path().filename();
        struct stat status{};
        if (!is_box_name(name) || fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0
            || !S_ISREG(status.st_mode))
            continue;
        const auto size = static_cast<std::uint64_t>(status.st_size);
        boxes.push_back({name, size - std::min(size, box_header_size), static_cast<std::uint64_t>(status.st_blocks) * block,
                         static_cast<UnixTime>(status.st_mtime), 0});
    }
    std::ranges::sort(boxes, {}, &Box::name);
    return boxes;
}

Result<void> Boxes::remove(uid_t owner, const std::string& name) const
{
    const UniqueFd folder = open_folder(owner);
    const UniqueFd file(is_box_name(name) ? openat(folder.get(), name.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC) : -1);
    if (!file)
        return Error{ErrorCode::NotFound, "no such box: " + name};
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0)
        return Error{ErrorCode::Failed, "the box " + name + " is in use"};
    if (!spoil_header(file) || unlinkat(folder.get(), name.c_str(), 0) != 0)
        return Error{ErrorCode::Failed, "the box " + name + " cannot be removed: " + std::strerror(errno)};
    return {};
}

} // namespace tacet
