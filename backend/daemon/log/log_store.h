// SPDX-License-Identifier: GPL-3.0-or-later
// The log of decisions. It is bounded.
#pragma once

#include <optional>

#include "daemon/core/entry.h"
#include "daemon/store/database.h"

namespace tacet {

class LogStore {
public:
    static constexpr std::uint64_t rows_max = 100'000;

    explicit LogStore(Database& database, std::uint64_t limit = rows_max) : database_(database), limit_(limit) {}

    // Adds all or none, and returns the id of the last one.
    Result<std::uint64_t> add(const std::vector<LogEntry>& entries);
    // Returns the oldest first. If after is 0, it returns the newest ones. An empty owner means everybody's.
    std::vector<LogEntry> list(std::optional<uid_t> owner, std::uint64_t after, std::uint32_t limit);

private:
    Result<void> insert(const LogEntry& entry);

    Database& database_;
    std::uint64_t limit_;
};

} // namespace tacet
