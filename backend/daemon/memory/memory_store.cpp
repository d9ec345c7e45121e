// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/memory/memory_store.h"

#include <algorithm>

#include "daemon/core/account.h"

namespace tacet {

using contract::MemoryLayer;
using contract::MemoryScope;

static Result<std::vector<std::string>> texts_of(Statement query)
{
    std::vector<std::string> texts;
    while (query.step())
        texts.push_back(query.text());
    if (query.failed())
        return query.finish().error();
    return texts;
}

Result<MemoryScope> MemoryStore::scope()
{
    Statement query = database_.prepare("SELECT scope FROM memory_policy");
    if (!query.step())
        return query.failed() ? Result<MemoryScope>(query.finish().error()) : MemoryScope::Chosen;
    return contract::parse_memory_scope(query.text()).value_or(MemoryScope::Chosen);
}

Result<void> MemoryStore::set_scope(MemoryScope scope)
{
    return database_.prepare("INSERT OR REPLACE INTO memory_policy (id, scope) VALUES (1, ?)").bind(to_string(scope)).finish();
}

Result<std::vector<MemoryLayer>> MemoryStore::layers()
{
    const auto off = texts_of(database_.prepare("SELECT layer FROM memory_layer_off"));
    if (!off)
        return off.error();
    std::vector<MemoryLayer> layers;
    for (const std::string_view word : contract::memory_layer_words)
        if (std::ranges::find(*off, word) == off->end())
            layers.push_back(*contract::parse_memory_layer(word));
    return layers;
}

Result<void> MemoryStore::set_layer(MemoryLayer layer, bool cleared)
{
    return database_
        .prepare(cleared ? "DELETE FROM memory_layer_off WHERE layer = ?"
                         : "INSERT OR IGNORE INTO memory_layer_off (layer) VALUES (?)")
        .bind(to_string(layer))
        .finish();
}

Result<std::vector<std::string>> MemoryStore::programs(uid_t owner)
{
    Statement query = database_.prepare("SELECT path FROM memory_program WHERE owner = ? ORDER BY path");
    query.bind(std::int64_t{owner});
    return texts_of(std::move(query));
}

Result<std::vector<std::string>> MemoryStore::all_programs()
{
    return texts_of(database_.prepare("SELECT DISTINCT path FROM memory_program ORDER BY path"));
}

Result<MemoryStore::Use> MemoryStore::use_of(uid_t account)
{
    Statement query = database_.prepare("SELECT owner, path FROM memory_program");
    Use use;
    while (query.step()) {
        const auto owner = static_cast<uid_t>(query.integer());
        const std::string path = query.text();
        if (account_of(owner) == account) {
            ++use.programs;
            use.bytes += path.size() + 1;
        }
    }
    if (query.failed())
        return query.finish().error();
    return use;
}

Result<void> MemoryStore::add_program(uid_t owner, const std::string& path)
{
    return database_.prepare("INSERT OR IGNORE INTO memory_program (owner, path) VALUES (?, ?)")
        .bind(std::int64_t{owner})
        .bind(path)
        .finish();
}

Result<bool> MemoryStore::remove_program(uid_t owner, const std::string& path)
{
    auto removed = database_.prepare("DELETE FROM memory_program WHERE owner = ? AND path = ?")
                       .bind(std::int64_t{owner})
                       .bind(path)
                       .finish();
    if (!removed)
        return removed.error();
    return database_.changes() > 0;
}

} // namespace tacet
