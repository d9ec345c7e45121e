// SPDX-License-Identifier: GPL-3.0-or-later
// The daemon's database file. It is opened, verified and migrated, and set aside if it is damaged.
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
    // Tells that the store is as the last daemon left it, or the first one of this machine.
    bool is_trusted = false;
};

// directory holds tacet.db. A damaged store is renamed tacet.db.damaged-N, and nothing is ever deleted. A store that only cannot
// be used now stays where it is, and is an error. It may be locked, or the disk may be full or not answer.
Result<Store> open_store(const std::string& directory, std::span<const Migration> steps);
// Seals the store at the orderly end, when nothing changes any more. The next daemon may then trust it.
Result<void> seal(Store& store);

} // namespace tacet
