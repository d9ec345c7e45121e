// SPDX-License-Identifier: GPL-3.0-or-later
// Knows the file systems that can carry labels: where they are mounted, and the names by which they are known again.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/unique_fd.h"

namespace tacet::lookup {

// Returns the boot's id, as in /proc.
const std::string& boot_id();

// Tells whether the file behind fd is on a file system whose labels belong to this machine. Others may be slow, and may lie.
bool is_of_this_machine(int fd);
// Returns the name that a FileKey has of the file system. fd is open for reading.
std::string file_system_of(int fd);

// Tells whether both are the same file.
bool is_same(const struct stat& left, const struct stat& right);
bool is_same(int left, int right);

struct Mount {
    std::string point;
    std::string file_system;
    std::string disk;         // is the number that all its mounts and subvolumes have in /proc/self/mountinfo
    std::uint64_t device = 0; // is st_dev of the point
    std::string root;         // is the folder of the file system that it shows
    UniqueFd folder;          // is the point
    bool is_layered = false;  // its files are those of other file systems, so it is only a way to them
};

// Mounts has all that are mounted here. It holds them open, so it lives for one request only. Otherwise nothing could be
// unmounted.
class Mounts {
public:
    Mounts();

    // Returns for each disk of this name a mount that shows it, preferably the whole. Copies of a file system have one name.
    std::vector<const Mount*> find(std::string_view file_system) const;
    const Mount* find_device(std::uint64_t device) const;
    // Returns the mount of that file system through which the path leads, or null.
    const Mount* on_the_way(std::string_view path, std::string_view file_system) const;
    // Returns the mount through which the path leads, unless a file system that may wait is on it.
    const Mount* on_the_way(std::string_view path) const;
    // Returns the points of mounts that together show all of each file system, as far as it can be seen.
    std::map<std::string, std::vector<std::string>> points() const;

private:
    const Mount* longest(std::string_view path, const std::function<bool(const Mount&)>& is_meant) const;

    std::vector<Mount> mounts_;
};

} // namespace tacet::lookup
