// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/label_store.h"

#include <algorithm>

namespace tacet {
namespace {

const std::string columns = "id, file_system, handle, path, owner, derived, presence, shadow, shadow_size, shadow_mtime, since";

std::int64_t as_integer(std::uint64_t value)
{
    return static_cast<std::int64_t>(value);
}

std::int64_t as_integer(Presence presence)
{
    return static_cast<std::int64_t>(presence);
}

Presence presence_of(std::int64_t number)
{
    const auto known = static_cast<std::int64_t>(contract::presence_words.size());
    return number >= 0 && number < known ? static_cast<Presence>(number) : Presence::Failed;
}

// A handle has a head, and is longer than the number of an inode.
const std::string shares =
    "sum(NOT derived), sum(derived AND length(handle) > 8), sum(CASE WHEN shadow THEN shadow_size ELSE 0 END)";

LabelStore::Totals read_totals(Statement& query)
{
    LabelStore::Totals totals;
    totals.labels = static_cast<std::uint64_t>(query.integer());
    totals.derived = static_cast<std::uint64_t>(query.integer());
    totals.shadow_bytes = static_cast<std::uint64_t>(query.integer());
    return totals;
}

// The first one has what both have.
void add(LabelStore::Totals& totals, const LabelStore::Totals& more)
{
    totals.labels += more.labels;
    totals.derived += more.derived;
    totals.shadow_bytes += more.shadow_bytes;
}

void take(LabelStore::Totals& totals, const LabelStore::Totals& less)
{
    totals.labels -= less.labels;
    totals.derived -= less.derived;
    totals.shadow_bytes -= less.shadow_bytes;
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

std::optional<uid_t> LabelStore::person_of(const Label& label)
{
    std::optional<uid_t> person;
    for (const CategoryId id : label.categories) {
        Statement query = database_.prepare("SELECT owner FROM category WHERE id = ?");
        query.bind(as_integer(id));
        if (!query.step())
            return std::nullopt;
        const auto owner = static_cast<uid_t>(query.integer());
        if (person && *person != owner)
            return std::nullopt;
        person = owner;
    }
    return person;
}

Result<std::int64_t> LabelStore::put(const LabelledFile& file)
{
    Statement insert = database_.prepare(
        "INSERT INTO file (file_system, handle, path, owner, derived, presence, since) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (file_system, handle) DO UPDATE SET path = excluded.path, owner = excluded.owner,"
        " derived = excluded.derived, presence = excluded.presence RETURNING id");
    insert.bind(file.key.file_system).bind_blob(file.key.handle).bind(file.path).bind(std::int64_t{file.owner});
    insert.bind(std::int64_t{file.derived}).bind(as_integer(file.presence)).bind(as_integer(file.since));
    if (const auto known = totals_ ? find(file.key) : std::nullopt; known)
        count_before(known->id);
    if (!insert.step())
        return insert.finish().error();
    const std::int64_t id = insert.integer();
    if (auto done = insert.finish(); !done)
        return done.error();
    count_after(id);
    if (auto written = write_label(id, file.label); !written)
        return written.error();
    return id;
}

Result<void> LabelStore::update(const LabelledFile& file)
{
    Statement update = database_.prepare("UPDATE file SET file_system = ?, handle = ?, path = ?, owner = ?, derived = ?,"
                                         " presence = ?, since = ? WHERE id = ?");
    update.bind(file.key.file_system).bind_blob(file.key.handle).bind(file.path).bind(std::int64_t{file.owner});
    update.bind(std::int64_t{file.derived}).bind(as_integer(file.presence)).bind(as_integer(file.since)).bind(file.id);
    count_before(file.id);
    if (auto updated = update.finish(); !updated)
        return updated;
    count_after(file.id);
    return write_label(file.id, file.label);
}

Result<void> LabelStore::write_label(std::int64_t id, const Label& label)
{
    if (auto cleared = database_.prepare("DELETE FROM file_category WHERE file = ?").bind(id).finish(); !cleared)
        return cleared;
    for (const CategoryId category : label.categories) {
        Statement link = database_.prepare("INSERT INTO file_category (file, category) VALUES (?, ?)");
        if (auto done = link.bind(id).bind(as_integer(category)).finish(); !done)
            return done;
    }
    return {};
}

Result<void> LabelStore::remove(std::int64_t id)
{
    count_before(id);
    return database_.prepare("DELETE FROM file WHERE id = ?").bind(id).finish();
}

Result<void> LabelStore::set_shadows(const std::vector<LabelledFile>& files)
{
    auto done = store_shadows(files);
    if (!done)
        forget_totals();
    return done;
}

Result<void> LabelStore::store_shadows(const std::vector<LabelledFile>& files)
{
    Transaction transaction(database_);
    if (auto begun = transaction.begun(); !begun)
        return begun;
    for (const LabelledFile& file : files) {
        Statement update = database_.prepare("UPDATE file SET shadow = ?, shadow_size = ?, shadow_mtime = ? WHERE id = ?");
        update.bind(std::int64_t{file.shadow}).bind(as_integer(file.shadow_size)).bind(file.shadow_mtime).bind(file.id);
        count_before(file.id);
        if (auto done = update.finish(); !done)
            return done;
        count_after(file.id);
    }
    return transaction.commit();
}

std::optional<LabelledFile> LabelStore::find(const FileKey& key)
{
    Statement query = database_.prepare("SELECT " + columns + " FROM file WHERE file_system = ? AND handle = ?");
    query.bind(key.file_system).bind_blob(key.handle);
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

std::vector<LabelledFile> LabelStore::find_at(const std::string& path)
{
    Statement query = database_.prepare("SELECT " + columns + " FROM file WHERE path = ? ORDER BY id");
    query.bind(path);
    return read(std::move(query));
}

std::vector<LabelledFile> LabelStore::list(std::optional<uid_t> owner, std::uint32_t offset, std::uint32_t limit)
{
    // An index gives the rows of one owner in this order.
    Statement query = database_.prepare("SELECT " + columns + " FROM file" + (owner ? " WHERE owner = ?" : "")
                                        + " ORDER BY path, id LIMIT ? OFFSET ?");
    if (owner)
        query.bind(std::int64_t{*owner});
    query.bind(std::int64_t{limit}).bind(std::int64_t{offset});
    return read(std::move(query));
}

std::uint32_t LabelStore::count(std::optional<uid_t> owner)
{
    Statement query = database_.prepare(owner ? "SELECT count(*) FROM file WHERE owner = ?" : "SELECT count(*) FROM file");
    if (owner)
        query.bind(std::int64_t{*owner});
    return query.step() ? static_cast<std::uint32_t>(query.integer()) : 0;
}

std::uint32_t LabelStore::count_failed()
{
    Statement query = database_.prepare("SELECT count(*) FROM file WHERE presence = ? AND presence <> 0 AND length(handle) > ?");
    query.bind(as_integer(Presence::Failed)).bind(std::int64_t{sizeof(FileNumbers::inode)});
    return query.step() ? static_cast<std::uint32_t>(query.integer()) : 0;
}

LabelStore::Totals LabelStore::totals(uid_t owner)
{
    if (!totals_) {
        totals_.emplace();
        Statement query = database_.prepare("SELECT owner, " + shares + " FROM file GROUP BY owner");
        while (query.step()) {
            const uid_t account = account_of(static_cast<uid_t>(query.integer()));
            add((*totals_)[account], read_totals(query));
        }
    }
    const auto found = totals_->find(account_of(owner));
    return found == totals_->end() ? Totals{} : found->second;
}

std::optional<LabelStore::Share> LabelStore::share_of(std::int64_t id)
{
    Statement query = database_.prepare("SELECT owner, " + shares + " FROM file WHERE id = ? GROUP BY id");
    query.bind(id);
    if (!query.step())
        return std::nullopt;
    const uid_t account = account_of(static_cast<uid_t>(query.integer()));
    return Share{account, read_totals(query)};
}

void LabelStore::count_before(std::int64_t id)
{
    if (const auto share = totals_ ? share_of(id) : std::nullopt; share && totals_)
        take((*totals_)[share->account], share->totals);
}

void LabelStore::count_after(std::int64_t id)
{
    if (const auto share = totals_ ? share_of(id) : std::nullopt; share && totals_)
        add((*totals_)[share->account], share->totals);
}

std::vector<std::string> LabelStore::file_systems(bool complete)
{
    Statement query = database_.prepare("SELECT name FROM file_system WHERE complete = ? AND name <> '*'");
    query.bind(std::int64_t{complete});
    std::vector<std::string> names;
    while (query.step())
        names.push_back(query.text());
    return names;
}

Result<void> LabelStore::set_complete(const std::string& file_system)
{
    return database_
        .prepare("INSERT INTO file_system VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET complete = 1 WHERE complete = 0")
        .bind(file_system)
        .finish();
}

Result<void> LabelStore::set_seen(const std::string& file_system)
{
    return database_.prepare("INSERT OR IGNORE INTO file_system VALUES (?, 1)").bind(file_system).finish();
}

Result<void> LabelStore::set_incomplete()
{
    return database_.prepare("UPDATE file_system SET complete = 0").finish();
}

Result<void> LabelStore::set_incomplete(const std::string& file_system)
{
    return database_
        .prepare("INSERT INTO file_system VALUES (?, 0) ON CONFLICT (name) DO UPDATE SET complete = 0 WHERE complete <> 0")
        .bind(file_system)
        .finish();
}

bool LabelStore::has_numbered()
{
    return database_.prepare("SELECT 1 FROM file WHERE file_system >= 'boot ' AND file_system < 'boot!'").step();
}

// The name '*' stands for those that are not named. A store that was made after one was lost does not have it.
bool LabelStore::knows_all_file_systems()
{
    return database_.prepare("SELECT 1 FROM file_system WHERE name = '*' AND complete").step();
}

Result<void> LabelStore::set_all_complete(std::string_view boot)
{
    if (auto done = database_.prepare("UPDATE file_system SET complete = 1 WHERE name = '*' AND NOT complete").finish(); !done)
        return done;
    for (const bool complete : {false, true}) {
        for (const std::string& name : file_systems(complete)) {
            if (!ended_with_its_boot(name, boot))
                continue;
            if (auto done = database_.prepare("DELETE FROM file_system WHERE name = ?").bind(name).finish(); !done)
                return done;
        }
    }
    return {};
}

std::vector<LabelledFile> LabelStore::read(Statement query)
{
    std::vector<LabelledFile> files;
    while (query.step()) {
        LabelledFile file;
        file.id = query.integer();
        file.key.file_system = query.text();
        file.key.handle = query.blob();
        file.path = query.text();
        file.owner = static_cast<uid_t>(query.integer());
        file.derived = query.integer() != 0;
        file.presence = presence_of(query.integer());
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
