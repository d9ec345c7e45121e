// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/label_store.h"

#include <algorithm>

namespace tacet {
namespace {

const std::string columns = "id, path, device, inode, handle, owner, derived, missing, shadow, shadow_size, shadow_mtime, since";

std::int64_t as_integer(std::uint64_t value)
{
    return static_cast<std::int64_t>(value);
}

// Stands for SQL's "every owner" without a second statement.
std::int64_t owner_or_any(std::optional<uid_t> owner)
{
    return owner ? static_cast<std::int64_t>(*owner) : -1;
}

} // namespace

Result<void> LabelStore::declare(const Category& category)
{
    return database_.prepare("INSERT OR IGNORE INTO category (id, kind, owner) VALUES (?, ?, ?)")
        .bind(as_integer(category.id))
        .bind(category.kind)
        .bind(std::int64_t{category.owner})
        .finish();
}

Result<void> LabelStore::set_guarded(const Category& category, bool guarded)
{
    if (auto declared = declare(category); !declared)
        return declared;
    return database_.prepare("UPDATE category SET guarded = ? WHERE id = ?")
        .bind(std::int64_t{guarded})
        .bind(as_integer(category.id))
        .finish();
}

Result<std::vector<Category>> LabelStore::guarded()
{
    Statement query = database_.prepare("SELECT id, kind, owner FROM category WHERE guarded");
    std::vector<Category> categories;
    while (query.step()) {
        Category category;
        category.id = static_cast<CategoryId>(query.integer());
        category.kind = query.text();
        category.owner = static_cast<uid_t>(query.integer());
        categories.push_back(std::move(category));
    }
    if (query.failed())
        return query.finish().error();
    std::ranges::sort(categories, {}, &Category::id);
    return categories;
}

std::vector<std::string> LabelStore::kinds(const Label& label)
{
    std::vector<std::string> kinds;
    for (const CategoryId id : label.categories) {
        Statement query = database_.prepare("SELECT kind FROM category WHERE id = ?");
        query.bind(as_integer(id));
        kinds.push_back(query.step() ? query.text() : "custom");
    }
    std::ranges::sort(kinds);
    const auto doubles = std::ranges::unique(kinds);
    kinds.erase(doubles.begin(), doubles.end());
    return kinds;
}

Result<std::int64_t> LabelStore::put(const LabelledFile& file)
{
    Statement insert = database_.prepare(
        "INSERT INTO file (path, device, inode, handle, owner, derived, since) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (path) DO UPDATE SET device = excluded.device, inode = excluded.inode, handle = excluded.handle,"
        " owner = excluded.owner, derived = excluded.derived, missing = 0, shadow = 0 RETURNING id");
    insert.bind(file.path).bind(as_integer(file.identity.device)).bind(as_integer(file.identity.inode)).bind_blob(file.handle);
    insert.bind(std::int64_t{file.owner}).bind(std::int64_t{file.derived}).bind(as_integer(file.since));
    if (!insert.step())
        return insert.finish().error();
    const std::int64_t id = insert.integer();
    if (auto done = insert.finish(); !done)
        return done.error();
    if (auto cleared = database_.prepare("DELETE FROM file_category WHERE file = ?").bind(id).finish(); !cleared)
        return cleared.error();
    for (const CategoryId category : file.label.categories) {
        Statement link = database_.prepare("INSERT INTO file_category (file, category) VALUES (?, ?)");
        if (auto done = link.bind(id).bind(as_integer(category)).finish(); !done)
            return done.error();
    }
    return id;
}

Result<void> LabelStore::move(const LabelledFile& file)
{
    Statement clear = database_.prepare("DELETE FROM file WHERE path = ? AND id <> ?");
    if (auto cleared = clear.bind(file.path).bind(file.id).finish(); !cleared)
        return cleared;
    return database_.prepare("UPDATE file SET path = ?, device = ?, inode = ?, handle = ?, missing = 0 WHERE id = ?")
        .bind(file.path)
        .bind(as_integer(file.identity.device))
        .bind(as_integer(file.identity.inode))
        .bind_blob(file.handle)
        .bind(file.id)
        .finish();
}

Result<void> LabelStore::remove(std::int64_t id)
{
    return database_.prepare("DELETE FROM file WHERE id = ?").bind(id).finish();
}

Result<void> LabelStore::set_missing(std::int64_t id, bool missing)
{
    return database_.prepare("UPDATE file SET missing = ? WHERE id = ?").bind(std::int64_t{missing}).bind(id).finish();
}

Result<void> LabelStore::set_shadows(const std::vector<LabelledFile>& files)
{
    Transaction transaction(database_);
    if (auto begun = transaction.begun(); !begun)
        return begun;
    for (const LabelledFile& file : files) {
        Statement update = database_.prepare("UPDATE file SET shadow = ?, shadow_size = ?, shadow_mtime = ? WHERE id = ?");
        update.bind(std::int64_t{file.shadow}).bind(as_integer(file.shadow_size)).bind(file.shadow_mtime).bind(file.id);
        if (auto done = update.finish(); !done)
            return done;
    }
    return transaction.commit();
}

std::optional<LabelledFile> LabelStore::find(const std::string& path)
{
    Statement query = database_.prepare("SELECT " + columns + " FROM file WHERE path = ?");
    query.bind(path);
    auto files = read(std::move(query));
    return files.empty() ? std::nullopt : std::optional(std::move(files.front()));
}

std::optional<LabelledFile> LabelStore::find(const FileIdentity& identity)
{
    Statement query =
        database_.prepare("SELECT " + columns + " FROM file WHERE device = ? AND inode = ? ORDER BY missing LIMIT 1");
    query.bind(as_integer(identity.device)).bind(as_integer(identity.inode));
    auto files = read(std::move(query));
    return files.empty() ? std::nullopt : std::optional(std::move(files.front()));
}

std::optional<LabelledFile> LabelStore::find(std::int64_t id)
{
    Statement query = database_.prepare("SELECT " + columns + " FROM file WHERE id = ?");
    query.bind(id);
    auto files = read(std::move(query));
    return files.empty() ? std::nullopt : std::optional(std::move(files.front()));
}

std::vector<LabelledFile> LabelStore::after(std::int64_t id, unsigned limit)
{
    Statement query = database_.prepare("SELECT " + columns + " FROM file WHERE id > ? ORDER BY id LIMIT ?");
    query.bind(id).bind(std::int64_t{limit});
    return read(std::move(query));
}

std::vector<LabelledFile> LabelStore::list(std::optional<uid_t> owner, std::uint32_t offset, std::uint32_t limit)
{
    Statement query =
        database_.prepare("SELECT " + columns + " FROM file WHERE ?1 IN (-1, owner) ORDER BY path LIMIT ?2 OFFSET ?3");
    query.bind(owner_or_any(owner)).bind(std::int64_t{limit}).bind(std::int64_t{offset});
    return read(std::move(query));
}

std::uint32_t LabelStore::count(std::optional<uid_t> owner)
{
    Statement query = database_.prepare("SELECT count(*) FROM file WHERE ?1 IN (-1, owner)");
    query.bind(owner_or_any(owner));
    return query.step() ? static_cast<std::uint32_t>(query.integer()) : 0;
}

std::vector<LabelledFile> LabelStore::read(Statement query)
{
    std::vector<LabelledFile> files;
    while (query.step()) {
        LabelledFile file;
        file.id = query.integer();
        file.path = query.text();
        file.identity.device = static_cast<std::uint64_t>(query.integer());
        file.identity.inode = static_cast<std::uint64_t>(query.integer());
        file.handle = query.blob();
        file.owner = static_cast<uid_t>(query.integer());
        file.derived = query.integer() != 0;
        file.missing = query.integer() != 0;
        file.shadow = query.integer() != 0;
        file.shadow_size = static_cast<std::uint64_t>(query.integer());
        file.shadow_mtime = query.integer();
        file.since = static_cast<UnixTime>(query.integer());
        file.label = read_label(file.id);
        file.categories = kinds(file.label);
        files.push_back(std::move(file));
    }
    return files;
}

Label LabelStore::read_label(std::int64_t id)
{
    Statement query = database_.prepare("SELECT category FROM file_category WHERE file = ?");
    query.bind(id);
    std::vector<CategoryId> categories;
    while (query.step())
        categories.push_back(static_cast<CategoryId>(query.integer()));
    return make_label(std::move(categories));
}

} // namespace tacet
