// SPDX-License-Identifier: GPL-3.0-or-later
// The daemon's database file. It is opened, verified and migrated, and set aside if it cannot be used.
#pragma once

#include <string>
#include <vector>

#include "daemon/store/database.h"
#include "daemon/store/migrations.h"

namespace tacet {

struct Store {
    Database database;
    // Tells why lasting rules are refused, and is empty if they are not. It stays while a database that was set aside is
    // there.
    std::string damage;
    // These are paths in the database that was set aside just now. Their inodes still carry the label.
    std::vector<std::string> salvaged_paths;
};

// directory holds tacet.db. An unusable database is renamed tacet.db.damaged-N, and nothing is ever deleted.
Result<Store> open_store(const std::string& directory, std::span<const Migration> steps);

} // namespace tacet
