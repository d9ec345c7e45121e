// SPDX-License-Identifier: GPL-3.0-or-later
#include "lookup/file_system.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "common/file_key.h"
#include "common/file_name.h"

namespace tacet::lookup {
namespace {

// The answers of these come from a server or from a program, and so would labels.
constexpr std::array<std::uint32_t, 11> foreign_magics{NFS_SUPER_MAGIC,  SMB_SUPER_MAGIC,  CIFS_SUPER_MAGIC,  SMB2_SUPER_MAGIC,
                                                       FUSE_SUPER_MAGIC, V9FS_MAGIC,       CEPH_SUPER_MAGIC,  AFS_SUPER_MAGIC,
                                                       AFS_FS_MAGIC,     CODA_SUPER_MAGIC, AUTOFS_SUPER_MAGIC};

std::string hex(const unsigned char* bytes, std::size_t count)
{
    std::string text;
    for (std::size_t place = 0; place < count; ++place) {
        std::array<char, 3> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", bytes[place]);
        text += digits.data();
    }
    return text;
}

// Returns nothing if there is none, or if it is all zero, which many may have.
std::string uuid_of(int fd)
{
    fsuuid2 id{};
    if (ioctl(fd, FS_IOC_GETFSUUID, &id) != 0 || id.len > sizeof(id.uuid)
        || std::all_of(id.uuid, id.uuid + id.len, [](unsigned char byte) { return byte == 0; }))
        return {};
    return "uuid " + hex(id.uuid, id.len);
}

std::string fsid_of(const struct statfs& system)
{
    std::array<unsigned char, sizeof(system.f_fsid)> bytes{};
    std::copy_n(reinterpret_cast<const unsigned char*>(&system.f_fsid), bytes.size(), bytes.begin());
    if (std::ranges::all_of(bytes, [](unsigned char byte) { return byte == 0; }))
        return {};
    return "fsid " + hex(bytes.data(), bytes.size());
}

// A space is "\040" in /proc/self/mountinfo.
std::string unescape(const std::string& text)
{
    std::string plain;
    for (std::size_t place = 0; place < text.size(); ++place) {
        if (text[place] == '\\' && place + 3 < text.size()) {
            plain.push_back(static_cast<char>(std::stoi(text.substr(place + 1, 3), nullptr, 8)));
            place += 3;
        } else {
            plain.push_back(text[place]);
        }
    }
    return plain;
}

struct MountLine {
    std::uint64_t id = 0;
    std::string disk;
    std::string root;
    std::string point;
    std::string type;
};

std::vector<MountLine> read_mount_lines()
{
    std::vector<MountLine> lines;
    std::ifstream file("/proc/self/mountinfo");
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string skipped;
        MountLine mount;
        fields >> mount.id >> skipped >> mount.disk >> mount.root >> mount.point >> skipped;
        while (fields >> skipped && skipped != "-") {
        }
        fields >> mount.type;
        mount.point = unescape(mount.point);
        lines.push_back(std::move(mount));
    }
    return lines;
}

// Returns the mount's number in /proc/self/mountinfo, or 0.
std::uint64_t mount_of(int fd)
{
    struct statx status{};
    return statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &status) == 0 ? status.stx_mnt_id : 0;
}

// Returns the types of file systems on a disk, and of those in memory that keep attributes.
std::set<std::string> read_local_types()
{
    std::set<std::string> types{"tmpfs", "zfs"};
    std::ifstream file("/proc/filesystems");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('\t') && !line.starts_with("\tfuse"))
            types.insert(line.substr(1));
    }
    return types;
}

// A look-up there waits for a server or a program. An automount does not wait where something is mounted already.
bool may_wait(const MountLine& line)
{
    constexpr std::array<std::string_view, 8> types{"nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "afs", "coda"};
    return line.type.starts_with("fuse") || std::ranges::find(types, line.type) != types.end();
}

} // namespace

const std::string& boot_id()
{
    static const std::string id = [] {
        std::string text;
        std::ifstream("/proc/sys/kernel/random/boot_id") >> text;
        return text;
    }();
    return id;
}

bool is_of_this_machine(int fd)
{
    struct statfs system{};
    return fstatfs(fd, &system) == 0
           && std::ranges::find(foreign_magics, static_cast<std::uint32_t>(system.f_type)) == foreign_magics.end();
}

std::string file_system_of(int fd)
{
    struct statfs system{};
    struct stat status{};
    if (fstatfs(fd, &system) != 0 || fstat(fd, &status) != 0)
        return {};
    std::string name = uuid_of(fd);
    if (name.empty())
        name = fsid_of(system);
    if (name.empty())
        name = "device " + std::to_string(status.st_dev);
    const auto type = static_cast<std::uint32_t>(system.f_type);
    return type == TMPFS_MAGIC || type == RAMFS_MAGIC ? memory_file_system(boot_id(), name) : name;
}

bool is_same(const struct stat& left, const struct stat& right)
{
    return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

bool is_same(int left, int right)
{
    struct stat one{};
    struct stat other{};
    return fstat(left, &one) == 0 && fstat(right, &other) == 0 && is_same(one, other);
}

// A mount below one that may wait is left out, as the way there may wait.
Mounts::Mounts()
{
    const std::set<std::string> local = read_local_types();
    const std::vector<MountLine> lines = read_mount_lines();
    for (const MountLine& line : lines) {
        const bool is_layered = line.type == "overlay" && line.point != "/";
        const bool is_local = local.contains(line.type) || line.point == "/" || is_layered;
        const auto hinders = [&](const MountLine& other) { return may_wait(other) && lies_in(line.point, other.point); };
        if (!is_local || std::ranges::any_of(lines, hinders))
            continue;
        UniqueFd folder(open(line.point.c_str(), O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC));
        struct stat status{};
        // A mount that another one hides cannot be opened.
        if (!folder || mount_of(folder.get()) != line.id || fstat(folder.get(), &status) != 0)
            continue;
        std::string name = file_system_of(folder.get());
        mounts_.push_back({line.point, std::move(name), line.disk, status.st_dev, line.root, std::move(folder), is_layered});
    }
}

std::vector<const Mount*> Mounts::find(std::string_view file_system) const
{
    std::map<std::string, const Mount*> found;
    for (const Mount& mount : mounts_) {
        if (mount.file_system != file_system || mount.is_layered)
            continue;
        const Mount*& known = found[mount.disk];
        if (known == nullptr || mount.root.size() < known->root.size())
            known = &mount;
    }
    std::vector<const Mount*> mounts;
    mounts.reserve(found.size());
    for (const auto& [disk, mount] : found)
        mounts.push_back(mount);
    return mounts;
}

const Mount* Mounts::find_device(std::uint64_t device) const
{
    const auto found =
        std::ranges::find_if(mounts_, [&](const Mount& mount) { return mount.device == device && !mount.is_layered; });
    return found == mounts_.end() ? nullptr : &*found;
}

const Mount* Mounts::longest(std::string_view path, const std::function<bool(const Mount&)>& is_meant) const
{
    const Mount* found = nullptr;
    for (const Mount& mount : mounts_) {
        const bool leads = lies_in(path, mount.point) && is_meant(mount);
        if (leads && (found == nullptr || mount.point.size() > found->point.size()))
            found = &mount;
    }
    return found;
}

const Mount* Mounts::on_the_way(std::string_view path, std::string_view file_system) const
{
    return longest(path, [&](const Mount& mount) { return mount.file_system == file_system; });
}

const Mount* Mounts::on_the_way(std::string_view path) const
{
    return longest(path, [](const Mount&) { return true; });
}

// A mount shows what another shows if it begins at the same folder or at one below. Subvolumes of btrfs often have mounts of
// their own.
std::map<std::string, std::vector<std::string>> Mounts::points() const
{
    std::map<std::string, std::vector<std::string>> points;
    for (const Mount& mount : mounts_) {
        const auto shows_it = [&](const Mount& other) {
            const bool is_above =
                other.file_system == mount.file_system && other.disk == mount.disk && lies_in(mount.root, other.root);
            return is_above && (other.root != mount.root || &other < &mount);
        };
        if (!mount.is_layered && std::ranges::none_of(mounts_, shows_it))
            points[mount.file_system].push_back(mount.point);
    }
    return points;
}

} // namespace tacet::lookup
