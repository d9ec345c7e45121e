// SPDX-License-Identifier: GPL-3.0-or-later
// Takes over what can still be read of a store that is not usable.
#pragma once

#include <string>
#include <vector>

#include "daemon/store/database.h"

namespace tacet {

// Takes over rules that refuse, the categories that are guarded, and whose freed memory is cleared. A permission has to be given
// anew. What cannot be read is left out. It fails if the new store cannot be written.
Result<void> salvage_refusals(Database& from, Database& to);
// Returns paths of labelled files, where to look first.
std::vector<std::string> salvage_paths(Database& from);

} // namespace tacet
