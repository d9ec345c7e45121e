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

// The index is keyed by inode. If an inode had several names, the first one stays, with all categories. Only device numbers were
// known of file systems, and the next look at each file gives the name.
Result<void> key_labels_by_inode(Database& database)
{
    return database.run(R"(
        CREATE TABLE old_file AS SELECT *, min(id) OVER (PARTITION BY device, handle) AS kept FROM file;
        CREATE TABLE old_category AS SELECT DISTINCT kept AS file, category
            FROM file_category JOIN old_file ON old_file.id = file_category.file;
        DROP TABLE file_category;
        DROP TABLE file;
        CREATE TABLE file (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            file_system TEXT NOT NULL,
            handle BLOB NOT NULL,
            path TEXT NOT NULL,
            owner INTEGER NOT NULL,
            derived INTEGER NOT NULL,
            presence INTEGER NOT NULL,
            shadow INTEGER NOT NULL DEFAULT 0,
            shadow_size INTEGER NOT NULL DEFAULT 0,
            shadow_mtime INTEGER NOT NULL DEFAULT 0,
            since INTEGER NOT NULL,
            UNIQUE (file_system, handle)) STRICT;
        CREATE INDEX file_owner ON file (owner, path);
        CREATE INDEX file_path ON file (path);
        CREATE TABLE file_category (
            file INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
            category INTEGER NOT NULL,
            PRIMARY KEY (file, category)) STRICT, WITHOUT ROWID;
        INSERT INTO file (id, file_system, handle, path, owner, derived, presence, shadow, shadow_size, shadow_mtime, since)
            SELECT id, 'device ' || device, handle, path, owner, derived, missing, shadow, shadow_size, shadow_mtime, since
            FROM old_file WHERE id = kept;
        INSERT INTO file_category SELECT file, category FROM old_category;
        DROP TABLE old_category;
        DROP TABLE old_file;
        CREATE TABLE file_system (name TEXT PRIMARY KEY, complete INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO file_system VALUES ('*', 0);
        CREATE TABLE seal (id INTEGER PRIMARY KEY, digest TEXT NOT NULL) STRICT;)");
}

// Most files are there, so those that are not are few.
Result<void> find_absent_quickly(Database& database)
{
    return database.run("CREATE INDEX file_not_kept ON file (presence) WHERE presence <> 0");
}

// Until then a rule without a host held for every kind of destination, which nobody was told. It holds for the network from
// here on, and the person is asked about the rest. A rule with a path could only be about a file or a device.
Result<void> type_destinations(Database& database)
{
    return database.run("ALTER TABLE rule ADD COLUMN sink TEXT NOT NULL DEFAULT 'network'; UPDATE rule SET sink = "
                        + std::string(sink_of_untyped_rule) + R"(;
        UPDATE rule SET host = '' WHERE sink = 'other';
        UPDATE rule SET port = 0 WHERE sink <> 'network';
        ALTER TABLE rule DROP COLUMN changes;
        ALTER TABLE log ADD COLUMN sink TEXT NOT NULL DEFAULT '';
        UPDATE log SET sink = CASE
            WHEN reason IN ('change', 'removal') THEN 'marked'
            WHEN host LIKE '/dev/%' THEN 'device'
            WHEN host LIKE '/%' THEN 'file'
            WHEN host LIKE '%:[%' THEN 'other'
            WHEN host <> '' THEN 'network'
            ELSE '' END;)");
}

Result<void> create_memory(Database& database)
{
    return database.run(R"(
        CREATE TABLE memory_policy (id INTEGER PRIMARY KEY, scope TEXT NOT NULL) STRICT;
        CREATE TABLE memory_program (
            owner INTEGER NOT NULL,
            path TEXT NOT NULL,
            PRIMARY KEY (owner, path)) STRICT, WITHOUT ROWID;)");
}

// A layer that nobody has switched off is cleared.
Result<void> create_memory_layers(Database& database)
{
    return database.run("CREATE TABLE memory_layer_off (layer TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;");
}

constexpr std::array<Migration, 9> steps{create_labels,     create_rules,        create_log,
                                         add_guard,         key_labels_by_inode, find_absent_quickly,
                                         type_destinations, create_memory,       create_memory_layers};

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
