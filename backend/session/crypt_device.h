// SPDX-License-Identifier: GPL-3.0-or-later
// A block device that encrypts what is written to a nameless file with a key that is nowhere else, and that goes, key and file
// too, when nobody uses it any more, however that comes about.
#pragma once

#include <cstdint>
#include <string>

#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

struct CryptDevice {
    std::string path;
    UniqueFd use; // keeps it until it is mounted
};

// name: the device mapper's, nobody else's. folder: where the file is made, on a real disk. size: bytes; the file takes room as
// it is written. kernel_session: the descriptor of the kernel's session, which makes the key then; -1: none.
Result<CryptDevice> make_crypt_device(const std::string& name, const std::string& folder, std::uint64_t size, int kernel_session);

// Removes a device whose maker was killed before the device had its first user, who would have taken it along.
void remove_crypt_device(const std::string& name);

} // namespace tacet
