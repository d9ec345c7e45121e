// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/mount_plan.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

namespace tacet {
namespace {

constexpr std::array fresh{"/proc", "/sys", "/dev", "/run", "/tmp"};
constexpr std::array kernels_own{"autofs",   "binfmt_misc", "bpf",        "cgroup",    "cgroup2", "configfs", "debugfs", "devpts",
                                 "devtmpfs", "efivarfs",    "fusectl",    "hugetlbfs", "mqueue",  "nfsd",     "nsfs",    "proc",
                                 "pstore",   "rpc_pipefs",  "securityfs", "selinuxfs", "sysfs",   "tracefs"};

constexpr std::array other_machines{"afs", "ceph", "cifs", "coda", "nfs", "nfs4", "smb3"};

struct Mount {
    std::string point;
    std::string type;
    std::string options; // of the file system
};

bool is_below(std::string_view path, std::string_view folder)
{
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_fresh(std::string_view path)
{
    return !is_below(path, "/run/media")
           && std::ranges::any_of(fresh, [&](const char* folder) { return is_below(path, folder); });
}

// Space, tab, newline and backslash are written as three octal digits.
std::string unescape(const std::string& text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escaped = text[i] == '\\' && i + 3 < text.size();
        if (!escaped) {
            plain.push_back(text[i]);
            continue;
        }
        plain.push_back(static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8)));
        i += 3;
    }
    return plain;
}

// "36 35 98:0 /root /point rw,noatime master:1 - ext3 /dev/sda1 rw"
bool parse_line(const std::string& line, Mount& ret_mount)
{
    std::istringstream words(line);
    std::string skipped;
    words >> skipped >> skipped >> skipped >> skipped >> ret_mount.point;
    while (words >> skipped && skipped != "-") {
    }
    const bool has_type = static_cast<bool>(words >> ret_mount.type);
    ret_mount.options.clear();
    // A source may have no name, so that there are two words only.
    words >> skipped >> ret_mount.options;
    return has_type;
}

// "fuse" and "fuse.NAME" say nothing of where the server looks, "fuseblk" is a disk. The server of user 0 is an administrator's.
bool tells_others(const Mount& mount, bool has_network)
{
    const bool is_fuse = mount.type == "fuse" || mount.type.starts_with("fuse.");
    if (is_fuse || mount.type == "fuseblk")
        return (is_fuse && !has_network) || ("," + mount.options + ",").find(",user_id=0,") == std::string::npos;
    return !has_network && std::ranges::find(other_machines, mount.type) != other_machines.end();
}

} // namespace

std::vector<std::string> plan_mounts(std::string_view mountinfo, std::string_view home, bool has_network)
{
    std::set<std::string> points; // ascending: parents come first
    std::istringstream lines{std::string(mountinfo)};
    Mount mount;
    for (std::string line; std::getline(lines, line);) {
        if (!parse_line(line, mount))
            continue;
        const std::string point = unescape(mount.point);
        // What was mounted last on a place is what is seen there.
        points.erase(point);
        const bool is_kernels = std::ranges::find(kernels_own, mount.type) != kernels_own.end();
        if (point != "/" && !is_fresh(point) && !is_kernels && (is_below(home, point) || !tells_others(mount, has_network)))
            points.insert(point);
    }
    return {points.begin(), points.end()};
}

} // namespace tacet
