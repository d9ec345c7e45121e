// SPDX-License-Identifier: GPL-3.0-or-later
// The daemon's database file: opened, verified, migrated; set aside when it cannot be used.
#pragma once

#include <string>
#include <vector>

#include "daemon/store/database.h"
#include "daemon/store/migrations.h"

namespace tacet {

struct Store {
    Database database;
    // Why lasting rules are refused; empty: they are not. Stays so while a database that was set aside lies there.
    std::string damage;
    // Paths in the database that was set aside just now: their inodes still carry the label.
    std::vector<std::string> salvaged_paths;
};

// directory: holds tacet.db. An unusable one is renamed tacet.db.damaged-N; nothing is ever deleted.
Result<Store> open_store(const std::string& directory, std::span<const Migration> steps);

} // namespace tacet
