// SPDX-License-Identifier: GPL-3.0-or-later
// A block device that encrypts what is written to a nameless file. The key is nowhere else. When nobody uses the device any
// more, it goes with key and file, however that comes about.
#pragma once

#include <cstdint>
#include <string>

#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

struct CryptDevice {
    std::string path;
    UniqueFd use; // keeps the device until it is mounted
};

// name: the device mapper's name, used by nobody else. folder: the place of the file, on a real disk. size: in bytes; the file
// takes room only as it is written. kernel_session: the descriptor of the kernel's session, which then makes the key, or -1.
Result<CryptDevice> make_crypt_device(const std::string& name, const std::string& folder, std::uint64_t size, int kernel_session);

// Removes a device whose maker was killed before the device had its first user. A user would have taken it along.
void remove_crypt_device(const std::string& name);

} // namespace tacet
