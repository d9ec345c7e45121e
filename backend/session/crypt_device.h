// SPDX-License-Identifier: GPL-3.0-or-later
// A block device that encrypts what is written to a file. When nobody uses the device any more, it goes with key and file,
// however that comes about. A file without a name is then gone for good.
#pragma once

#include <cstdint>
#include <string>

#include "common/result.h"
#include "common/unique_fd.h"
#include "session/store_key.h"

namespace tacet {

struct CryptDevice {
    std::string path;
    UniqueFd use; // keeps the device until it is mounted
};

// Where the encrypted data lies in a file on a real disk. These are in bytes, multiples of 4096.
struct CryptExtent {
    std::uint64_t start = 0;
    std::uint64_t size = 0;
};

// name: the device mapper's name, used by nobody else. key: needed only during this call.
Result<CryptDevice> make_crypt_device(const std::string& name, const UniqueFd& file, CryptExtent extent, const StoreKey& key);

// Removes a device whose maker was killed before the device had its first user. A user would have taken it along.
void remove_crypt_device(const std::string& name);

} // namespace tacet
