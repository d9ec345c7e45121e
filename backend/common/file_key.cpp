// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/file_key.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "common/text.h"

namespace tacet {
namespace {

constexpr std::string_view boot_prefix = "boot ";
constexpr std::string_view memory_prefix = "memory ";
constexpr std::string_view device_word = " device ";
// This bit stands beside the type of a handle that only names its inode. The kernel gives no type this bit.
constexpr int only_names = 1 << 30;

struct Handle {
    alignas(file_handle) std::array<unsigned char, sizeof(file_handle) + MAX_HANDLE_SZ> storage{};
    file_handle* get() { return reinterpret_cast<file_handle*>(storage.data()); }
};

bool name_inode(int fd, Handle& ret_handle, int flags)
{
    int mount = 0;
    ret_handle.get()->handle_bytes = MAX_HANDLE_SZ;
    return name_to_handle_at(fd, "", ret_handle.get(), &mount, AT_EMPTY_PATH | flags) == 0;
}

} // namespace

FileKey number_key(std::uint64_t device, std::uint64_t inode, std::string_view boot)
{
    FileKey key;
    key.file_system = std::string(boot_prefix) + std::string(boot) + std::string(device_word) + std::to_string(device);
    key.handle.resize(sizeof(inode));
    std::memcpy(key.handle.data(), &inode, sizeof(inode));
    return key;
}

std::optional<FileNumbers> numbers_of(const FileKey& key)
{
    const std::size_t word = key.file_system.find(device_word);
    unsigned long long device = 0;
    FileNumbers numbers;
    if (!key.file_system.starts_with(boot_prefix) || word == std::string::npos || key.handle.size() != sizeof(numbers.inode)
        || !parse_number(std::string_view(key.file_system).substr(word + device_word.size()), UINT64_MAX, device))
        return std::nullopt;
    numbers.device = device;
    std::memcpy(&numbers.inode, key.handle.data(), sizeof(numbers.inode));
    return numbers;
}

std::string memory_file_system(std::string_view boot, std::string_view name)
{
    return std::string(memory_prefix) + std::string(boot) + " " + std::string(name);
}

bool ended_with_its_boot(std::string_view file_system, std::string_view boot)
{
    for (const std::string_view prefix : {boot_prefix, memory_prefix}) {
        if (file_system.starts_with(prefix))
            return !file_system.substr(prefix.size()).starts_with(std::string(boot) + " ");
    }
    return false;
}

bool can_be_opened(const std::vector<std::uint8_t>& handle)
{
    file_handle head{};
    if (handle.size() <= sizeof(head) || handle.size() > sizeof(Handle))
        return false;
    std::memcpy(&head, handle.data(), sizeof(head));
    return head.handle_bytes == handle.size() - sizeof(head) && (head.handle_type & only_names) == 0;
}

std::vector<std::uint8_t> handle_of(int fd)
{
    Handle handle;
    if (!name_inode(fd, handle, 0)) {
        if (errno != EOPNOTSUPP || !name_inode(fd, handle, AT_HANDLE_FID))
            return {};
        handle.get()->handle_type |= only_names;
    }
    const std::size_t size = sizeof(file_handle) + handle.get()->handle_bytes;
    return {handle.storage.begin(), handle.storage.begin() + static_cast<std::ptrdiff_t>(size)};
}

} // namespace tacet
