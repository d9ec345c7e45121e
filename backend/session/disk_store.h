// SPDX-License-Identifier: GPL-3.0-or-later
// The store of a private session on disk: encrypted, for more than memory holds.
#pragma once

#include <cstdint>

#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

// The size of a store when nobody named one, with so many bytes free: all of them, but for a reserve for all
// others.
std::uint64_t default_disk_size(std::uint64_t free);

// size: in bytes; 0 means as much as there is room for. session: its id. kernel_session: its descriptor or -1. Returns a mount
// that is nowhere yet, nosuid, nodev, noatime; it is gone with its last user. DiskFull.
Result<UniqueFd> make_disk_store(std::uint64_t session, std::uint64_t size, int kernel_session);

// After the session: what is left when it was killed while the store was made.
void remove_disk_store(std::uint64_t session);

} // namespace tacet
