// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/rules/rule_store.h"

namespace tacet {
namespace {

// A row that does not parse is passed over. Without a rule the person is asked.
std::optional<Rule> read_rule(Statement& query)
{
    Rule rule;
    rule.id = static_cast<RuleId>(query.integer());
    rule.owner = static_cast<uid_t>(query.integer());
    const auto verdict = parse_verdict(query.text());
    const auto subject_kind = parse_subject_kind(query.text());
    rule.scope.subject = query.text();
    rule.scope.executable = query.text();
    rule.scope.host = query.text();
    rule.scope.port = static_cast<std::uint16_t>(query.integer());
    const auto duration = parse_duration(query.text());
    rule.lifetime.boot_id = query.text();
    rule.lifetime.expires = BootTime(query.integer());
    rule.lifetime.process = {static_cast<pid_t>(query.integer()), BootTime(query.integer())};
    rule.created = static_cast<UnixTime>(query.integer());
    rule.hits = static_cast<std::uint64_t>(query.integer());
    const auto sink = contract::parse_sink(query.text());
    if (!verdict || !subject_kind || !duration || !sink)
        return std::nullopt;
    rule.verdict = *verdict;
    rule.scope.subject_kind = *subject_kind;
    rule.scope.sink = *sink;
    rule.lifetime.duration = *duration;
    return rule;
}

} // namespace

std::vector<Rule> RuleStore::load()
{
    Statement query = database_.prepare("SELECT id, owner, verdict, subject_kind, subject, executable, host, port, duration,"
                                        " boot_id, expires, pid, start, created, hits, sink FROM rule ORDER BY id");
    std::vector<Rule> rules;
    while (query.step()) {
        if (auto rule = read_rule(query))
            rules.push_back(std::move(*rule));
    }
    return rules;
}

Result<RuleId> RuleStore::add(const Rule& rule)
{
    Statement insert = database_.prepare(
        "INSERT INTO rule (owner, verdict, subject_kind, subject, executable, host, port, duration, boot_id, expires, pid, start,"
        " created, sink) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(std::int64_t{rule.owner}).bind(to_string(rule.verdict)).bind(to_string(rule.scope.subject_kind));
    insert.bind(rule.scope.subject).bind(rule.scope.executable).bind(rule.scope.host).bind(std::int64_t{rule.scope.port});
    insert.bind(to_string(rule.lifetime.duration)).bind(rule.lifetime.boot_id).bind(rule.lifetime.expires.count());
    insert.bind(std::int64_t{rule.lifetime.process.pid}).bind(rule.lifetime.process.start.count());
    insert.bind(static_cast<std::int64_t>(rule.created)).bind(to_string(rule.scope.sink));
    if (auto done = insert.finish(); !done)
        return done.error();
    return static_cast<RuleId>(database_.last_id());
}

Result<void> RuleStore::remove(RuleId id)
{
    return database_.prepare("DELETE FROM rule WHERE id = ?").bind(static_cast<std::int64_t>(id)).finish();
}

Result<void> RuleStore::count_hits(RuleId id, std::uint64_t count)
{
    return database_.prepare("UPDATE rule SET hits = hits + ? WHERE id = ?")
        .bind(static_cast<std::int64_t>(count))
        .bind(static_cast<std::int64_t>(id))
        .finish();
}

std::string RuleStore::fingerprint(uid_t owner, const std::string& executable)
{
    Statement query = database_.prepare("SELECT fingerprint FROM executable WHERE owner = ? AND path = ?");
    query.bind(std::int64_t{owner}).bind(executable);
    return query.step() ? query.text() : std::string();
}

Result<void> RuleStore::set_fingerprint(uid_t owner, const std::string& executable, const std::string& fingerprint)
{
    return database_.prepare("INSERT OR REPLACE INTO executable (owner, path, fingerprint) VALUES (?, ?, ?)")
        .bind(std::int64_t{owner})
        .bind(executable)
        .bind(fingerprint)
        .finish();
}

} // namespace tacet
