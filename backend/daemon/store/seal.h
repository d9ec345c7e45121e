// SPDX-License-Identifier: GPL-3.0-or-later
// Tells whether the tables are as the last daemon left them. A disk that loses or changes something breaks the seal, and so does
// a daemon that did not come to its end.
#pragma once

#include "daemon/store/database.h"

namespace tacet {

// Returns true once, as the seal is gone afterwards.
Result<bool> break_seal(Database& database);
// This belongs to the orderly end, after the last change.
Result<void> set_seal(Database& database);

} // namespace tacet
