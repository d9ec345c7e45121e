// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/store/salvage.h"

#include "daemon/store/migrations.h"

namespace tacet {
namespace {

constexpr std::size_t rows_max = 1'000'000;

// Reads until the first damaged page. A row that the new tables do not take is left out.
Result<void> copy_rows(Database& from, const std::string& query, Database& to, const std::string& insert)
{
    Statement rows = from.prepare(query);
    for (std::size_t count = 0; count < rows_max && rows.step(); ++count) {
        Statement row = to.prepare(insert);
        for (int column = 0; column < rows.columns(); ++column)
            row.bind(rows.text());
        if (auto written = row.finish(); !written && !row.is_refused())
            return written;
    }
    return {};
}

bool has_sinks(Database& from)
{
    Statement query = from.prepare("SELECT 1 FROM pragma_table_info('rule') WHERE name = 'sink'");
    return query.step();
}

} // namespace

Result<void> salvage_refusals(Database& from, Database& to)
{
    if (auto copied = copy_rows(from, "SELECT id, kind, owner, guarded FROM category WHERE guarded", to,
                                "INSERT OR IGNORE INTO category (id, kind, owner, guarded) VALUES (?, ?, ?, ?)");
        !copied)
        return copied;
    // These tables are younger than the others, and may not be there.
    if (auto copied = copy_rows(from, "SELECT id, scope FROM memory_policy WHERE scope <> 'off'", to,
                                "INSERT OR IGNORE INTO memory_policy (id, scope) VALUES (?, ?)");
        !copied)
        return copied;
    if (auto copied = copy_rows(from, "SELECT owner, path FROM memory_program", to,
                                "INSERT OR IGNORE INTO memory_program (owner, path) VALUES (?, ?)");
        !copied)
        return copied;
    const std::string columns = "owner, verdict, subject_kind, subject, executable, port, duration, boot_id, expires, pid, start,"
                                " created";
    const std::string destination =
        has_sinks(from) ? "host, sink" : "CASE WHEN host = 'socket' THEN '' ELSE host END, " + std::string(sink_of_untyped_rule);
    return copy_rows(
        from, "SELECT " + columns + ", " + destination + " FROM rule WHERE verdict IN ('block', 'quit') AND duration = 'always'",
        to, "INSERT INTO rule (" + columns + ", host, sink) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
}

std::vector<std::string> salvage_paths(Database& from)
{
    std::vector<std::string> paths;
    Statement query = from.prepare("SELECT path FROM file");
    while (paths.size() < rows_max && query.step())
        paths.push_back(query.text());
    return paths;
}

} // namespace tacet
