// SPDX-License-Identifier: GPL-3.0-or-later
// The store of a private session on disk. It is encrypted, for more than memory holds.
#pragma once

#include <cstdint>
#include <string>

#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

// Returns the size of a store when nobody named one. That is all of the free bytes, except for a reserve for other programs.
std::uint64_t default_disk_size(std::uint64_t free);

// size: in bytes; 0 means as much as there is room for. session: its id. kernel_session: its descriptor or -1. Returns a mount
// that is attached nowhere yet (nosuid, nodev, noatime). It is gone with its last user. May fail with DiskFull.
Result<UniqueFd> make_disk_store(std::uint64_t session, std::uint64_t size, int kernel_session);

// The device mapper's name for the store of a session.
std::string store_device_name(std::uint64_t session);

// Removes the rest of a session that was killed while its store was made. This runs after the session.
void remove_disk_store(std::uint64_t session);

} // namespace tacet
