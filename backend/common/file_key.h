// SPDX-License-Identifier: GPL-3.0-or-later
// A FileKey names an inode for as long as the inode lives. A restart, a rename or another device number does not change it.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tacet {

struct FileKey {
    // This is "uuid HEX" or "fsid HEX", or "memory BOOT ..." if the file system ends with the boot. It is "boot BOOT device
    // NUMBER" or "device NUMBER" while no more is known.
    std::string file_system;
    // This is a struct file_handle, or the inode number of number_key().
    std::vector<std::uint8_t> handle;

    auto operator<=>(const FileKey&) const = default;
};

// Makes the key of a file that only the kernel has seen. It means something in this boot only.
FileKey number_key(std::uint64_t device, std::uint64_t inode, std::string_view boot);

struct FileNumbers {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
};

// Returns the numbers of such a key, and nothing for any other key.
std::optional<FileNumbers> numbers_of(const FileKey& key);

std::string memory_file_system(std::string_view boot, std::string_view name);
// Tells whether the file system was in memory in another boot, or had only a number then.
bool ended_with_its_boot(std::string_view file_system, std::string_view boot);

// Tells whether open_by_handle_at() could find the file. Some file systems only give names.
bool can_be_opened(const std::vector<std::uint8_t>& handle);
// Returns nothing if the file system names no inodes.
std::vector<std::uint8_t> handle_of(int fd);

} // namespace tacet
