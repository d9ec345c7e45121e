// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/disk_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "session/crypt_device.h"
#include "session/ext4.h"
#include "session/mount.h"

namespace tacet {
namespace {

constexpr const char* state = "/var/lib/tacet";
constexpr const char* folder = "/var/lib/tacet/sessions";
constexpr std::uint64_t least = 16ULL << 20;
constexpr std::uint64_t granule = 4096;

Error failure(const char* what)
{
    return {errno == ENOSPC ? ErrorCode::DiskFull : ErrorCode::Failed, std::string(what) + ": " + std::strerror(errno)};
}

// It has no name from the start, and cannot be given one.
Result<UniqueFd> make_nameless_file(std::uint64_t size)
{
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return failure("no folder for stores");
    UniqueFd file(open(folder, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
    if (!file || ftruncate(file.get(), static_cast<off_t>(size)) != 0)
        return failure("no file for the store");
    return file;
}

} // namespace

std::uint64_t default_disk_size(std::uint64_t free)
{
    constexpr std::uint64_t reserve_least = 1ULL << 30;
    constexpr std::uint64_t reserve_share = 20;
    const std::uint64_t reserve = std::max(reserve_least, free / reserve_share);
    return free > reserve ? free - reserve : 0;
}

Result<UniqueFd> make_disk_store(std::uint64_t session, std::uint64_t size, int kernel_session)
{
    struct statvfs disk{};
    if (statvfs(state, &disk) != 0)
        return failure("no place for stores");
    const std::uint64_t free = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
    const std::uint64_t wanted = (size == 0 ? default_disk_size(free) : size) / granule * granule;
    if (wanted > free || (size == 0 && wanted < least))
        return Error{ErrorCode::DiskFull, "there is no room on the disk for such a store"};
    if (wanted < least)
        return Error{ErrorCode::InvalidArgument, "a store on disk has at least 16M"};
    const auto file = make_nameless_file(wanted);
    if (!file)
        return file.error();
    const auto device = make_crypt_device(store_device_name(session), *file, {0, wanted}, StoreKey(kernel_session));
    if (!device)
        return device.error();
    // There is no journal, as nothing outlives a crash.
    if (!make_ext4(device->path, Journal::No))
        return Error{ErrorCode::Failed, "no file system in the store"};
    return make_mount("ext4", {{"source", device->path}, {"noinit_itable", ""}}, plain | MOUNT_ATTR_NOATIME);
}

std::string store_device_name(std::uint64_t session)
{
    return "tacet-session-" + std::to_string(session);
}

void remove_disk_store(std::uint64_t session)
{
    remove_crypt_device(store_device_name(session));
}

} // namespace tacet
