// SPDX-License-Identifier: GPL-3.0-or-later
#include "lookup/file_lookup.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include <tacet.h>

#include "common/file_name.h"
#include "lookup/path_lookup.h"

namespace tacet::lookup {
namespace {

// A folder with more entries is not searched to its end, as the path is only for show.
constexpr int entries_max = 10'000;

// elsewhere is the file system on which the file may have been moved.
Finding not_there(Presence presence, const char* message, const std::string& elsewhere = {})
{
    Finding finding;
    finding.presence = presence;
    finding.error = {ErrorCode::NotFound, message};
    finding.key.file_system = elsewhere;
    return finding;
}

Finding failed(int number)
{
    Finding finding = not_there(Presence::Failed, std::strerror(number));
    finding.error.code = ErrorCode::Failed;
    return finding;
}

UniqueFd open_in(int folder, const std::string& path, std::uint64_t flags, std::uint64_t resolve)
{
    open_how how{};
    how.flags = flags | O_CLOEXEC;
    how.resolve = resolve;
    return UniqueFd(static_cast<int>(syscall(SYS_openat2, folder, path.c_str(), &how, sizeof(how))));
}

// This never leaves the file system, so it waits for no other.
UniqueFd open_below(const Mount& mount, const std::string& path, std::uint64_t flags)
{
    if (path.size() < mount.point.size()) {
        errno = EXDEV;
        return UniqueFd();
    }
    std::string below = path.substr(mount.point == "/" ? 0 : mount.point.size());
    below.erase(0, below.find_first_not_of('/'));
    return open_in(mount.folder.get(), below.empty() ? "." : below, flags, RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS);
}

std::uint64_t device_of(int fd)
{
    struct stat status{};
    return fstat(fd, &status) == 0 ? status.st_dev : 0;
}

std::uint64_t inode_of(int fd)
{
    struct stat status{};
    return fstat(fd, &status) == 0 ? status.st_ino : 0;
}

struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
};

// Returns the name that the inode has in the folder, or nothing. The folder is used up.
std::string name_in(UniqueFd folder, std::uint64_t inode)
{
    const std::unique_ptr<DIR, CloseFolder> entries(fdopendir(folder.get()));
    if (!entries)
        return {};
    static_cast<void>(folder.release());
    for (int count = 0; count < entries_max; ++count) {
        const dirent* entry = readdir(entries.get());
        if (entry == nullptr)
            return {};
        if (entry->d_ino == inode)
            return entry->d_name;
    }
    return {};
}

std::string folder_of(const std::string& path)
{
    return std::filesystem::path(path).parent_path().string();
}

// Tells whether the path leads to the file. If so the file is opened by it, as a file that was opened by its handle may be
// without a path.
bool leads_to(const std::string& path, const Mounts& mounts, const std::string& file_system, UniqueFd& file)
{
    const Mount* mount = is_plain_path(path) ? mounts.on_the_way(path, file_system) : nullptr;
    UniqueFd there = mount != nullptr ? open_below(*mount, path, O_PATH | O_NOFOLLOW) : UniqueFd();
    if (!there || !is_same(there.get(), file.get()))
        return false;
    file = std::move(there);
    return true;
}

// Tries the known path, then the one that the kernel remembers, then another name in the known folder. Returns nothing if none
// leads to the file.
std::string find_path_of(UniqueFd& file, const Mounts& mounts, const std::string& file_system, const std::string& known)
{
    if (leads_to(known, mounts, file_system, file))
        return known;
    std::error_code failure;
    const std::string link = "/proc/self/fd/" + std::to_string(file.get());
    std::string remembered = std::filesystem::read_symlink(link, failure).string();
    if (leads_to(remembered, mounts, file_system, file))
        return remembered;
    struct stat status{};
    const Mount* mount = is_plain_path(known) ? mounts.on_the_way(known, file_system) : nullptr;
    if (mount == nullptr || fstat(file.get(), &status) != 0)
        return {};
    const std::string name = name_in(open_below(*mount, folder_of(known), O_RDONLY | O_DIRECTORY), status.st_ino);
    const std::string renamed = folder_of(known) + "/" + name;
    return leads_to(renamed, mounts, file_system, file) ? renamed : "";
}

// Opens the nearest folder of the path that is there, if the mount shows it.
UniqueFd open_nearest_folder(const Mount& mount, const std::string& path)
{
    std::string folder = folder_of(path);
    for (;; folder = folder_of(folder)) {
        UniqueFd fd = open_below(mount, folder, O_RDONLY | O_DIRECTORY);
        if (fd || errno == EXDEV || folder.size() <= mount.point.size())
            return fd;
    }
}

bool has_label(int file)
{
    const std::string link = "/proc/self/fd/" + std::to_string(file);
    return getxattr(link.c_str(), TACET_LABEL_XATTR, nullptr, 0) >= 0;
}

UniqueFd open_handle(int mount, const std::vector<std::uint8_t>& bytes)
{
    if (!can_be_opened(bytes))
        return UniqueFd();
    std::vector<std::uint8_t> copy = bytes;
    return UniqueFd(open_by_handle_at(mount, reinterpret_cast<file_handle*>(copy.data()), O_PATH | O_CLOEXEC));
}

bool is_numbered(const UniqueFd& file, const FileNumbers& numbers)
{
    return file && device_of(file.get()) == numbers.device && inode_of(file.get()) == numbers.inode;
}

// The path leads to the file.
Finding describe_at(UniqueFd file, const std::string& path)
{
    struct stat status{};
    if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink == 0)
        return not_there(Presence::Gone, "no such file");
    return name_file(std::move(file), path);
}

} // namespace

Finding FileLookup::find(const SoughtFile& sought) const
{
    const std::string& file_system = sought.key.file_system;
    if (ended_with_its_boot(file_system, boot_id()))
        return not_there(Presence::Gone, "its file system ended with the boot");
    if (const auto numbers = numbers_of(sought.key))
        return find_by_numbers(sought, *numbers);
    if (file_system.starts_with("device "))
        return find_by_device(sought);
    const std::vector<const Mount*> disks = mounts().find(file_system);
    if (!disks.empty() && can_be_opened(sought.key.handle))
        return find_by_handle(sought, disks);
    return find_by_path(sought, !disks.empty());
}

// Anybody can bring a disk with the name of another one. So a file is gone only if a single disk has the name.
Finding FileLookup::find_by_handle(const SoughtFile& sought, const std::vector<const Mount*>& disks) const
{
    if (disks.size() == 1)
        return find_on(sought, *disks.front());
    for (const Mount* disk : disks) {
        Finding finding = find_on(sought, *disk);
        if (finding.presence == Presence::Kept && has_label(finding.file.get()))
            return finding;
    }
    return not_there(Presence::Failed, "several disks have the name of its file system", sought.key.file_system);
}

Finding FileLookup::find_on(const SoughtFile& sought, const Mount& mount) const
{
    UniqueFd file = open_handle(mount.folder.get(), sought.key.handle);
    if (file)
        return describe(std::move(file), sought.path);
    if (errno == ESTALE || errno == ENOENT)
        return not_there(Presence::Gone, "no such file");
    // This is no handle of the file system. A damaged store may hold the remains of one.
    return errno == EINVAL ? find_by_path(sought, true) : failed(errno);
}

// Looks for a file that cannot be opened by its handle. Whether it was moved or removed is not known.
Finding FileLookup::find_by_path(const SoughtFile& sought, bool is_mounted) const
{
    const auto not_found = [&] {
        return is_mounted ? not_there(Presence::Gone, "not where it was", sought.key.file_system)
                          : not_there(Presence::Absent, "its file system is not mounted");
    };
    const Mount* mount = is_plain_path(sought.path) ? mounts().on_the_way(sought.path) : nullptr;
    if (mount == nullptr)
        return not_found();
    UniqueFd file = open_below(*mount, sought.path, O_PATH | O_NOFOLLOW);
    if (!file && is_mounted && errno != ENOENT && errno != ENOTDIR)
        return failed(errno);
    if (!file || handle_of(file.get()) != sought.key.handle)
        return not_found();
    Finding finding = describe(std::move(file), sought.path);
    if (finding.presence == Presence::Kept && finding.key != sought.key)
        return not_found();
    return finding;
}

// Another boot may give the number of a device to another one. So the file system is the one on which the path is.
Finding FileLookup::find_by_device(const SoughtFile& sought) const
{
    const Mount* mount = is_plain_path(sought.path) ? mounts().on_the_way(sought.path) : nullptr;
    const UniqueFd folder = mount != nullptr ? open_nearest_folder(*mount, sought.path) : UniqueFd();
    UniqueFd file = open_handle(folder.get(), sought.key.handle);
    if (file)
        return describe(std::move(file), sought.path);
    // It may be on a file system that another boot knows by another number.
    return not_there(Presence::Absent, "not where it was");
}

// Looks for a file that no process is known to have. Nobody's account counts for it, so it never waits for another file system.
UniqueFd FileLookup::find_numbered(const SoughtFile& sought, const FileNumbers& numbers, bool& ret_is_folder_there,
                                   std::string& ret_path) const
{
    const Mount* mount = is_plain_path(sought.path) ? mounts().on_the_way(sought.path) : nullptr;
    if (mount == nullptr)
        return UniqueFd();
    ret_path = sought.path;
    UniqueFd file = open_below(*mount, ret_path, O_PATH | O_NOFOLLOW);
    if (is_numbered(file, numbers) || ret_path == mount->point)
        return file;
    UniqueFd folder = open_below(*mount, folder_of(ret_path), O_RDONLY | O_DIRECTORY);
    ret_is_folder_there = folder && device_of(folder.get()) == numbers.device;
    ret_path = folder_of(ret_path) + "/" + name_in(std::move(folder), numbers.inode);
    return open_below(*mount, ret_path, O_PATH | O_NOFOLLOW);
}

// Looks here, and where a process had the file, by its path and by another name in the same folder. The numbers decide.
Finding FileLookup::find_by_numbers(const SoughtFile& sought, const FileNumbers& numbers) const
{
    bool is_folder_there = false;
    std::vector<std::string> views;
    if (sought.pid != 0) {
        views = {"/", "/proc/" + std::to_string(sought.pid) + "/root"};
    } else {
        std::string path;
        UniqueFd file = find_numbered(sought, numbers, is_folder_there, path);
        if (is_numbered(file, numbers))
            return describe_at(std::move(file), path);
    }
    for (const std::string& view : views) {
        const UniqueFd root(open(view.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        std::string path = sought.path;
        UniqueFd file = open_in(root.get(), path, O_PATH | O_NOFOLLOW, RESOLVE_IN_ROOT);
        if (!is_numbered(file, numbers)) {
            UniqueFd folder = open_in(root.get(), folder_of(path), O_RDONLY | O_DIRECTORY, RESOLVE_IN_ROOT);
            is_folder_there = is_folder_there || (folder && device_of(folder.get()) == numbers.device);
            path = folder_of(path) + "/" + name_in(std::move(folder), numbers.inode);
            file = open_in(root.get(), path, O_PATH | O_NOFOLLOW, RESOLVE_IN_ROOT);
        }
        if (is_numbered(file, numbers))
            return view == "/" ? describe_at(std::move(file), path) : describe(std::move(file), path);
    }
    const Mount* mount = mounts().find_device(numbers.device);
    if (mount == nullptr)
        return not_there(Presence::Absent, "its file system is not mounted here");
    return not_there(is_folder_there ? Presence::Gone : Presence::Failed, "not where it was", mount->file_system);
}

Finding FileLookup::describe(UniqueFd file, const std::string& known_path) const
{
    Finding finding = describe_at(std::move(file), "");
    if (finding.presence == Presence::Kept)
        finding.path = find_path_of(finding.file, mounts(), finding.key.file_system, known_path);
    return finding;
}

const Mounts& FileLookup::mounts() const
{
    if (!mounts_)
        mounts_.emplace();
    return *mounts_;
}

} // namespace tacet::lookup
