// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/store/migrations.h"

#include <array>

namespace tacet {
namespace {

Result<void> create_labels(Database& database)
{
    return database.run(R"(
        CREATE TABLE category (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, owner INTEGER NOT NULL) STRICT;
        CREATE TABLE file (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            path TEXT NOT NULL UNIQUE,
            device INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            handle BLOB NOT NULL,
            owner INTEGER NOT NULL,
            derived INTEGER NOT NULL,
            missing INTEGER NOT NULL DEFAULT 0,
            shadow INTEGER NOT NULL DEFAULT 0,
            shadow_size INTEGER NOT NULL DEFAULT 0,
            shadow_mtime INTEGER NOT NULL DEFAULT 0,
            since INTEGER NOT NULL) STRICT;
        CREATE INDEX file_identity ON file (device, inode);
        CREATE INDEX file_owner ON file (owner, path);
        CREATE TABLE file_category (
            file INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
            category INTEGER NOT NULL,
            PRIMARY KEY (file, category)) STRICT, WITHOUT ROWID;)");
}

Result<void> create_rules(Database& database)
{
    return database.run(R"(
        CREATE TABLE rule (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            owner INTEGER NOT NULL,
            verdict TEXT NOT NULL,
            subject_kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            executable TEXT NOT NULL,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            duration TEXT NOT NULL,
            boot_id TEXT NOT NULL,
            expires INTEGER NOT NULL,
            pid INTEGER NOT NULL,
            start INTEGER NOT NULL,
            created INTEGER NOT NULL,
            hits INTEGER NOT NULL DEFAULT 0) STRICT;
        CREATE TABLE executable (
            owner INTEGER NOT NULL,
            path TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            PRIMARY KEY (owner, path)) STRICT, WITHOUT ROWID;)");
}

Result<void> create_log(Database& database)
{
    return database.run(R"(
        CREATE TABLE log (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            time INTEGER NOT NULL,
            owner INTEGER NOT NULL,
            kind TEXT NOT NULL,
            verdict TEXT NOT NULL,
            rule INTEGER NOT NULL,
            pid INTEGER NOT NULL,
            executable TEXT NOT NULL,
            comm TEXT NOT NULL,
            file TEXT NOT NULL,
            categories TEXT NOT NULL,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            length INTEGER NOT NULL,
            reason TEXT NOT NULL) STRICT;
        CREATE INDEX log_owner ON log (owner, id);)");
}

Result<void> add_guard(Database& database)
{
    return database.run(R"(
        ALTER TABLE category ADD COLUMN guarded INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE rule ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;)");
}

constexpr std::array<Migration, 4> steps{create_labels, create_rules, create_log, add_guard};

Result<std::int64_t> schema_version(Database& database)
{
    Statement query = database.prepare("PRAGMA user_version");
    if (!query.step())
        return query.finish().error();
    return query.integer();
}

} // namespace

std::span<const Migration> migrations()
{
    return steps;
}

Result<void> migrate(Database& database, std::span<const Migration> all)
{
    const auto version = schema_version(database);
    if (!version)
        return version.error();
    if (*version < 0 || *version > static_cast<std::int64_t>(all.size()))
        return Error{ErrorCode::StoreDamaged, "the store was written by a newer tacetd"};
    for (std::size_t step = static_cast<std::size_t>(*version); step < all.size(); ++step) {
        Transaction transaction(database);
        if (auto begun = transaction.begun(); !begun)
            return begun;
        if (auto done = all[step](database); !done)
            return done;
        if (auto numbered = database.run("PRAGMA user_version = " + std::to_string(step + 1)); !numbered)
            return numbered;
        if (auto committed = transaction.commit(); !committed)
            return committed;
    }
    return {};
}

} // namespace tacet
