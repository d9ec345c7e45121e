// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/box_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "common/box.h"
#include "session/box_header.h"
#include "session/crypt_device.h"
#include "session/disk_store.h"
#include "session/ext4.h"
#include "session/mount.h"

namespace tacet {
namespace {

constexpr std::uint64_t least = 64ULL << 20;
constexpr std::uint64_t usual = 4ULL << 30;
constexpr std::uint64_t granule = 4096;
constexpr auto going_time = std::chrono::seconds(3);

Error failure(const char* what)
{
    return {errno == ENOSPC ? ErrorCode::DiskFull : ErrorCode::Failed, std::string(what) + ": " + std::strerror(errno)};
}

// The loop device has the lock until it lets go of the file, which it may just be doing.
bool lock(const UniqueFd& file)
{
    const auto deadline = std::chrono::steady_clock::now() + going_time;
    while (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK || std::chrono::steady_clock::now() >= deadline)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

Result<UniqueFd> open_folder(uid_t owner)
{
    const std::string path = boxes_of(boxes_folder, owner);
    for (const std::string& part : {std::string(boxes_folder), path}) {
        if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
            return failure("no folder for boxes");
    }
    UniqueFd folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    return folder ? Result<UniqueFd>(std::move(folder)) : failure("no folder for boxes");
}

// The file gets its name when the box is whole.
Result<UniqueFd> make_file(const UniqueFd& folder, std::uint64_t size)
{
    struct statvfs disk{};
    if (fstatvfs(folder.get(), &disk) != 0)
        return failure("no folder for boxes");
    const std::uint64_t room = default_disk_size(static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize);
    const std::uint64_t wanted = (size == 0 ? std::min(usual, room) : size) / granule * granule;
    if (size != 0 && wanted < least)
        return Error{ErrorCode::InvalidArgument, "a box has at least 64M"};
    if (wanted > room || wanted < least)
        return Error{ErrorCode::DiskFull, "there is no room on the disk for such a box"};
    UniqueFd file(openat(folder.get(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (!file || ftruncate(file.get(), static_cast<off_t>(box_header_size + wanted)) != 0)
        return failure("no file for the box");
    return file;
}

} // namespace

Result<UniqueFd> open_box_store(const SessionRequest& request, const UniqueFd& passphrase)
{
    const auto folder = open_folder(request.uid);
    if (!folder)
        return folder.error();
    const char* const name = request.options.box.c_str();
    UniqueFd file(openat(folder->get(), name, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
    const bool is_new = !file && errno == ENOENT;
    if (file && request.options.size != 0)
        return Error{ErrorCode::InvalidArgument, "the box keeps the size that it was made with"};
    if (is_new) {
        auto made = make_file(*folder, request.options.size);
        if (!made)
            return made.error();
        file = std::move(*made);
    }
    struct stat status{};
    if (!file || fstat(file.get(), &status) != 0)
        return failure("the box cannot be opened");
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size <= box_header_size)
        return Error{ErrorCode::Failed, "the box is damaged: its file is too short"};
    if (!lock(file))
        return Error{ErrorCode::Failed, "the box is in use (tacet box list)"};
    StoreKeyBytes key;
    if (auto read = is_new ? make_box_header(file, passphrase, key) : open_box_header(file, passphrase, key); !read)
        return read.error();
    const CryptExtent data{box_header_size, size - box_header_size};
    const auto device = make_crypt_device(store_device_name(request.id), file, data, StoreKey(key));
    if (!device)
        return device.error();
    if (is_new && !make_ext4(device->path, Journal::Yes))
        return Error{ErrorCode::Failed, "no file system in the box"};
    auto store = make_mount("ext4", {{"source", device->path}, {"errors", "remount-ro"}}, plain | MOUNT_ATTR_NOATIME);
    if (store && is_new && linkat(file.get(), "", folder->get(), name, AT_EMPTY_PATH) != 0)
        return errno == EEXIST ? Error{ErrorCode::Failed, "another session has made this box"} : failure("the box gets no name");
    return store;
}

void wait_for_box(const SessionRequest& request)
{
    const std::string path = boxes_of(boxes_folder, request.uid) + "/" + request.options.box;
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (file)
        static_cast<void>(lock(file));
}

} // namespace tacet
