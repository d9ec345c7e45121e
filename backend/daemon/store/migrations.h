// SPDX-License-Identifier: GPL-3.0-or-later
// The numbered steps from an empty database to the present schema; a published step never changes.
#pragma once

#include <span>
#include <string_view>

#include "daemon/store/database.h"

namespace tacet {

using Migration = Result<void> (*)(Database&);

std::span<const Migration> migrations();

// SQL for the kind of destination of a rule that was written before rules had one, from its columns changes and host.
inline constexpr std::string_view sink_of_untyped_rule = "CASE WHEN changes THEN 'marked' WHEN host LIKE '/dev/%' THEN 'device'"
                                                         " WHEN host LIKE '/%' THEN 'file' WHEN host = 'socket' THEN 'other'"
                                                         " ELSE 'network' END";

// Brings the database to the last step, each step in its own transaction. A database newer than the steps is an error.
Result<void> migrate(Database& database, std::span<const Migration> steps);

} // namespace tacet
