// SPDX-License-Identifier: GPL-3.0-or-later
// The log of decisions. It is bounded.
#pragma once

#include <map>
#include <optional>

#include "daemon/core/account.h"
#include "daemon/core/entry.h"
#include "daemon/store/database.h"

namespace tacet {

class LogStore {
public:
    // limit is the number of entries of an account. Beyond it the oldest of that account go, and nobody else's.
    explicit LogStore(Database& database, std::uint64_t limit = limit_of(Resource::LogRows)) : database_(database), limit_(limit)
    {
    }

    // Adds all or none, and returns the id of the last one.
    Result<std::uint64_t> add(const std::vector<LogEntry>& entries);
    // Returns the oldest first. If after is 0, it returns the newest ones. An empty owner means everybody's.
    std::vector<LogEntry> list(std::optional<uid_t> owner, std::uint64_t after, std::uint32_t limit);

private:
    Result<void> insert(const LogEntry& entry);
    Result<void> prune(uid_t account, std::uint64_t added, std::map<uid_t, std::uint64_t>& rows);

    Database& database_;
    std::uint64_t limit_;
    std::map<uid_t, std::uint64_t> rows_; // by account, as far as any were added
};

} // namespace tacet
