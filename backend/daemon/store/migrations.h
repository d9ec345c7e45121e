// SPDX-License-Identifier: GPL-3.0-or-later
// The numbered steps from an empty database to the present schema; a published step never changes.
#pragma once

#include <span>

#include "daemon/store/database.h"

namespace tacet {

using Migration = Result<void> (*)(Database&);

std::span<const Migration> migrations();

// Brings the database to the last step, each step in its own transaction. A database newer than the steps is an error.
Result<void> migrate(Database& database, std::span<const Migration> steps);

} // namespace tacet
