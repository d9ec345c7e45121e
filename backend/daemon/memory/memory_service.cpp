// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/memory/memory_service.h"

#include <climits>
#include <filesystem>

#include "contract/methods.h"
#include "daemon/core/account.h"

namespace tacet {

using contract::MemoryLayer;
using contract::MemoryScope;

static bool is_path_of_program(const std::string& path)
{
    const std::filesystem::path given(path);
    return given.is_absolute() && given.has_filename() && given.lexically_normal().native() == path && path.size() < PATH_MAX
           && path.find('\0') == std::string::npos;
}

MemoryService::MemoryService(Database& database, std::string stamps, Surroundings surroundings)
    : database_(database), store_(database), stamps_(std::move(stamps)), around_(surroundings)
{
}

Result<MemoryPolicy> MemoryService::stored()
{
    const auto scope = store_.scope();
    if (!scope)
        return scope.error();
    auto layers = store_.layers();
    if (!layers)
        return layers.error();
    auto programs = store_.all_programs();
    if (!programs)
        return programs.error();
    return MemoryPolicy{*scope, std::move(*layers), std::move(*programs)};
}

Result<void> MemoryService::apply()
{
    auto policy = stored();
    if (!policy)
        return policy.error();
    if (!stamps_.empty())
        policy->programs.push_back(stamps_);
    if (auto applied = around_.kernel.set_memory(*policy); !applied)
        return applied;
    in_force_ = std::move(*policy);
    return {};
}

void MemoryService::policy(const Caller& caller, Reply<MemoryPolicy> reply)
{
    auto policy = stored();
    if (!policy)
        return reply(policy.error());
    auto own = store_.programs(caller.uid);
    if (!own)
        return reply(own.error());
    policy->programs = std::move(*own);
    reply(std::move(*policy));
}

Result<void> MemoryService::store_and_apply(const std::function<Result<void>()>& change)
{
    Transaction transaction(database_);
    if (auto begun = transaction.begun(); !begun)
        return begun;
    if (auto changed = change(); !changed)
        return changed;
    // Without the module it comes into force once the module is there.
    if (const auto applied = apply(); !applied && applied.error().code != ErrorCode::ModuleAbsent)
        return applied;
    return transaction.commit();
}

Result<void> MemoryService::change(const std::function<Result<void>()>& change)
{
    const auto changed = store_and_apply(change);
    if (changed)
        around_.signals.protection_changed();
    else
        static_cast<void>(apply()); // The kernel may have been told something else than has been stored.
    return changed;
}

void MemoryService::set_scope(const Caller& caller, MemoryScope scope, Reply<void> reply)
{
    around_.gate.pass(caller, contract::memory::set_scope, Reach::Others, [this, scope, reply](const Result<void>& passed) {
        reply(passed ? change([this, scope] { return store_.set_scope(scope); }) : passed);
    });
}

void MemoryService::set_layer(const Caller& caller, MemoryLayer layer, bool cleared, Reply<void> reply)
{
    around_.gate.pass(caller, contract::memory::set_layer, Reach::Others,
                      [this, layer, cleared, reply](const Result<void>& passed) {
                          reply(passed ? change([this, layer, cleared] { return store_.set_layer(layer, cleared); }) : passed);
                      });
}

Result<void> MemoryService::add(uid_t owner, const std::string& path)
{
    if (auto added = store_.add_program(owner, path); !added)
        return added;
    const auto use = store_.use_of(account_of(owner));
    if (!use)
        return use.error();
    if (use->programs > programs_max || use->bytes > bytes_max)
        return Error{ErrorCode::TooMany, "a person can choose at most 64 programs, with paths of 4096 bytes together"};
    return {};
}

void MemoryService::add_program(const Caller& caller, const std::string& path, Reply<void> reply)
{
    if (!is_path_of_program(path))
        return reply(Error{ErrorCode::InvalidPath, "not the absolute path of a program: " + path});
    reply(change([this, owner = caller.uid, &path] { return add(owner, path); }));
}

void MemoryService::remove_program(const Caller& caller, const std::string& path, Reply<void> reply)
{
    const auto own = store_.programs(caller.uid);
    if (!own)
        return reply(own.error());
    if (std::ranges::find(*own, path) == own->end())
        return reply(Error{ErrorCode::NotFound, "not a chosen program: " + path});
    around_.gate.pass(caller, contract::memory::remove_program, Reach::OwnLasting,
                      [this, owner = caller.uid, path, reply](const Result<void>& passed) {
                          reply(passed ? change([this, owner, &path]() -> Result<void> {
                              const auto removed = store_.remove_program(owner, path);
                              return removed ? Result<void>() : removed.error();
                          })
                                       : passed);
                      });
}

void MemoryService::make_tags(std::uint32_t count, Reply<std::vector<std::uint64_t>> reply)
{
    if (count < 1 || count > tags_max)
        return reply(Error{ErrorCode::InvalidArgument, "1 to 16 tags are made at a time"});
    std::vector<std::uint64_t> tags;
    while (tags.size() < count) {
        const auto tag = around_.kernel.make_tag();
        if (!tag)
            return reply(tag.error());
        tags.push_back(*tag);
    }
    reply(std::move(tags));
}

void MemoryService::count_stamps(const std::vector<std::uint64_t>& tags, Reply<std::vector<std::uint64_t>> reply)
{
    if (tags.empty() || tags.size() > tags_max)
        return reply(Error{ErrorCode::InvalidArgument, "stamps of 1 to 16 tags are counted at a time"});
    around_.kernel.count_stamps(tags, std::move(reply));
}

} // namespace tacet
