// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/log/log_store.h"

#include <algorithm>
#include <utility>

namespace tacet {
namespace {

// Kinds of categories hold no comma.
std::string join(const std::vector<std::string>& words)
{
    std::string joined;
    for (const std::string& word : words)
        joined += (joined.empty() ? "" : ",") + word;
    return joined;
}

std::vector<std::string> split(const std::string& joined)
{
    std::vector<std::string> words;
    for (std::size_t start = 0; start < joined.size();) {
        const std::size_t end = std::min(joined.find(',', start), joined.size());
        words.push_back(joined.substr(start, end - start));
        start = end + 1;
    }
    return words;
}

// This is account_of(), the other way round.
std::string owners_of(uid_t account)
{
    if (account == system_account)
        return "(owner BETWEEN 1 AND 999 OR owner BETWEEN 61184 AND 65519) AND ?1 > 0";
    if (account == others_account)
        return "owner > 60000 AND owner NOT BETWEEN 61184 AND 65519 AND ?1 > 0";
    return "owner = ?1";
}

LogEntry read_entry(Statement& query)
{
    LogEntry entry;
    entry.id = static_cast<std::uint64_t>(query.integer());
    entry.time = static_cast<UnixTime>(query.integer());
    entry.owner = static_cast<uid_t>(query.integer());
    entry.kind = query.text();
    entry.verdict = query.text();
    entry.rule = static_cast<RuleId>(query.integer());
    entry.pid = static_cast<pid_t>(query.integer());
    entry.executable = query.text();
    entry.comm = query.text();
    entry.file = query.text();
    entry.categories = split(query.text());
    entry.host = query.text();
    entry.port = static_cast<std::uint16_t>(query.integer());
    entry.length = static_cast<std::uint64_t>(query.integer());
    entry.reason = query.text();
    entry.sink = query.text();
    return entry;
}

} // namespace

Result<std::uint64_t> LogStore::add(const std::vector<LogEntry>& entries)
{
    Transaction transaction(database_);
    if (auto begun = transaction.begun(); !begun)
        return begun.error();
    std::map<uid_t, std::uint64_t> added;
    for (const LogEntry& entry : entries) {
        if (auto done = insert(entry); !done)
            return done.error();
        ++added[account_of(entry.owner)];
    }
    const std::int64_t id = database_.last_id();
    // If this is rolled back, the rows are counted anew.
    const auto known = std::exchange(rows_, {});
    auto rows = known;
    for (const auto& [account, count] : added) {
        if (auto pruned = prune(account, count, rows); !pruned)
            return pruned.error();
    }
    if (auto committed = transaction.commit(); !committed)
        return committed.error();
    rows_ = std::move(rows);
    return static_cast<std::uint64_t>(id);
}

// The rows of an account are counted once, and then in memory.
Result<void> LogStore::prune(uid_t account, std::uint64_t added, std::map<uid_t, std::uint64_t>& rows)
{
    const std::string of_account = owners_of(account);
    auto known = rows.find(account);
    if (known == rows.end()) {
        Statement count = database_.prepare("SELECT count(*) FROM log WHERE " + of_account);
        count.bind(std::int64_t{account});
        known = rows.emplace(account, count.step() ? static_cast<std::uint64_t>(count.integer()) : 0).first;
    } else {
        known->second += added;
    }
    if (known->second <= limit_)
        return {};
    const std::uint64_t excess = std::exchange(known->second, limit_) - limit_;
    return database_.prepare("DELETE FROM log WHERE id IN (SELECT id FROM log WHERE " + of_account + " ORDER BY id LIMIT ?2)")
        .bind(std::int64_t{account})
        .bind(static_cast<std::int64_t>(excess))
        .finish();
}

Result<void> LogStore::insert(const LogEntry& entry)
{
    Statement insert =
        database_.prepare("INSERT INTO log (time, owner, kind, verdict, rule, pid, executable, comm, file, categories,"
                          " host, port, length, reason, sink) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(static_cast<std::int64_t>(entry.time)).bind(std::int64_t{entry.owner}).bind(entry.kind).bind(entry.verdict);
    insert.bind(static_cast<std::int64_t>(entry.rule)).bind(std::int64_t{entry.pid}).bind(entry.executable).bind(entry.comm);
    insert.bind(entry.file).bind(join(entry.categories)).bind(entry.host).bind(std::int64_t{entry.port});
    insert.bind(static_cast<std::int64_t>(entry.length)).bind(entry.reason).bind(entry.sink);
    return insert.finish();
}

std::vector<LogEntry> LogStore::list(std::optional<uid_t> owner, std::uint64_t after, std::uint32_t limit)
{
    const std::string columns =
        "id, time, owner, kind, verdict, rule, pid, executable, comm, file, categories, host, port, length, reason, sink";
    const std::string order = after == 0 ? "DESC" : "ASC";
    Statement query = database_.prepare("SELECT " + columns + " FROM log WHERE id > ?1 AND ?2 IN (-1, owner) ORDER BY id " + order
                                        + " LIMIT ?3");
    query.bind(static_cast<std::int64_t>(std::min<std::uint64_t>(after, INT64_MAX)));
    query.bind(owner ? std::int64_t{*owner} : std::int64_t{-1}).bind(std::int64_t{limit});
    std::vector<LogEntry> entries;
    while (query.step())
        entries.push_back(read_entry(query));
    if (after == 0)
        std::ranges::reverse(entries);
    return entries;
}

} // namespace tacet
