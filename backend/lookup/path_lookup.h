// SPDX-License-Identifier: GPL-3.0-or-later
// Finds files that clients name, so that no game with links, renames and mounts can win.
#pragma once

#include "common/lookup_message.h"

namespace tacet::lookup {

// Finds a regular file by the asker's rights. The path must lead to the same file in the asker's own view of the machine.
// The error is NotFound, NotRegular, InvalidPath, NoXattr, or NotOwner if the asker may not even search the way there.
Finding find_path(const std::string& path, const PathAsker& asker);

// Adds the key to a file that was found. Without a key the look-up has failed.
Finding name_file(UniqueFd file, std::string path);

} // namespace tacet::lookup
