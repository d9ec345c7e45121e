// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/disk_store.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "session/crypt_device.h"
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

std::string device_name(std::uint64_t session)
{
    return "tacet-session-" + std::to_string(session);
}

// This is quick: tables are zeroed as they are used. There is no journal, as nothing outlives a crash.
bool make_file_system(const std::string& device)
{
    std::array words{
        "mkfs.ext4",   "-q", "-F", "-m", "0", "-O", "^has_journal,^resize_inode", "-E", "lazy_itable_init=1,nodiscard",
        device.c_str()};
    std::array<char*, words.size() + 1> arguments{};
    std::ranges::transform(words, arguments.begin(), [](const char* word) { return const_cast<char*>(word); });
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&files, standard, "/dev/null", O_RDWR, 0);
    std::array<char*, 1> environment{};
    pid_t child = 0;
    const int failed = posix_spawn(&child, "/usr/sbin/mkfs.ext4", &files, nullptr, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&files);
    int status = 0;
    return failed == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
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
    const auto device = make_crypt_device(device_name(session), folder, wanted, kernel_session);
    if (!device)
        return device.error();
    if (!make_file_system(device->path))
        return Error{ErrorCode::Failed, "no file system in the store"};
    return make_mount("ext4", {{"source", device->path}, {"noinit_itable", ""}}, plain | MOUNT_ATTR_NOATIME);
}

void remove_disk_store(std::uint64_t session)
{
    remove_crypt_device(device_name(session));
}

} // namespace tacet
