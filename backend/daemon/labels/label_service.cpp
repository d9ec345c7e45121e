// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/label_service.h"

#include <algorithm>
#include <set>

#include "contract/methods.h"
#include "daemon/core/account.h"

namespace tacet {
namespace {

constexpr std::size_t batch_size = 64;

const Error too_many_paths{ErrorCode::TooMany, "at most 10000 paths a call"};

} // namespace

// A call has two passes. The first has the caller's rights. Then, if polkit agrees, the second treats other people's files
// with the daemon's rights.
struct LabelService::Job {
    Caller caller;
    std::vector<std::string> paths;
    std::string category; // empty to remove the label
    Reply<std::vector<PathFailure>> reply;

    std::size_t position = 0;
    bool with_authority = false;
    std::vector<std::string> others;
    std::vector<PathFailure> failures;
    std::set<uid_t> changed_owners;
    std::unique_ptr<Pending> turn;

    bool adds() const { return !category.empty(); }
    const contract::Method& method() const { return adds() ? contract::labels::add : contract::labels::remove; }
    LabelRight right() const { return {caller.uid, with_authority || caller.is_root()}; }
    Details details() const
    {
        const std::vector<std::string>& named = others.empty() ? paths : others;
        const std::string first = named.empty() ? "" : named.front();
        const std::string files = named.size() == 1 ? first : std::to_string(named.size()) + " files, the first of them " + first;
        return {{"files", files},
                {"polkit.message", "Authentication is required to " + std::string(adds() ? "mark " : "unmark ") + files}};
    }
};

struct LabelService::Done {
    std::string path;
    LabelIndex::Change change;
};

LabelService::LabelService(Database& database, LabelStore& labels, LabelIndex& index, ShadowService& shadows, ActivityLog& log,
                           Surroundings surroundings)
    : database_(database), labels_(labels), index_(index), shadows_(shadows), log_(log), around_(surroundings)
{
}

void LabelService::add(const Caller& caller, std::vector<std::string> paths, std::string category,
                       Reply<std::vector<PathFailure>> reply)
{
    if (!is_category_kind(category)) {
        reply(Error{ErrorCode::InvalidCategory, "unknown category: " + category});
        return;
    }
    auto job = std::make_shared<Job>();
    job->caller = caller;
    job->paths = std::move(paths);
    job->category = std::move(category);
    job->reply = std::move(reply);
    begin(std::move(job));
}

void LabelService::remove(const Caller& caller, std::vector<std::string> paths, Reply<std::vector<PathFailure>> reply)
{
    auto job = std::make_shared<Job>();
    job->caller = caller;
    job->paths = std::move(paths);
    job->reply = std::move(reply);
    begin(std::move(job));
}

void LabelService::begin(JobPointer job)
{
    if (job->paths.size() > paths_max) {
        job->reply(too_many_paths);
        return;
    }
    if (around_.kernel.state() != ModuleState::Active) {
        job->reply(Error{ErrorCode::ModuleAbsent, "the kernel module is not active"});
        return;
    }
    around_.gate.pass(
        job->caller, job->method(), Reach::Own,
        [this, job](const Result<void>& passed) {
            if (passed)
                look_up(job);
            else
                job->reply(passed.error());
        },
        job->details());
}

void LabelService::look_up(const JobPointer& job)
{
    if (job->position == job->paths.size()) {
        finish_pass(job);
        return;
    }
    const auto first = job->paths.begin() + static_cast<std::ptrdiff_t>(job->position);
    const std::size_t count = std::min(batch_size, job->paths.size() - job->position);
    std::vector<std::string> paths(first, first + static_cast<std::ptrdiff_t>(count));
    job->position += count;
    find_paths(around_.lookups, job->caller, job->with_authority, paths,
               [this, job, paths](std::vector<Finding> findings) { settle_lost(job, paths, std::move(findings)); });
}

void LabelService::settle_lost(const JobPointer& job, const std::vector<std::string>& paths, std::vector<Finding> findings)
{
    std::vector<LabelledFile> entries;
    for (std::size_t place = 0; place < paths.size(); ++place) {
        if (job->adds() || findings[place].presence == Presence::Kept || findings[place].error.code != ErrorCode::NotFound)
            continue;
        for (LabelledFile& entry : labels_.find_at(paths[place])) {
            if (job->right().allows(entry.owner))
                entries.push_back(std::move(entry));
        }
    }
    // The files that were found are not held open while the others are looked for, as that may take long.
    if (entries.empty())
        run(job, paths, std::move(findings));
    else
        look_at_lost(job, paths, std::move(entries));
}

void LabelService::look_at_lost(const JobPointer& job, const std::vector<std::string>& paths, std::vector<LabelledFile> entries)
{
    if (entries.empty()) {
        find_paths(around_.lookups, job->caller, job->with_authority, paths,
                   [this, job, paths](std::vector<Finding> findings) { run(job, paths, std::move(findings)); });
        return;
    }
    const auto rest = entries.begin() + static_cast<std::ptrdiff_t>(entries.size() - std::min(batch_size, entries.size()));
    std::vector<LabelledFile> part(rest, entries.end());
    entries.erase(rest, entries.end());
    std::vector<SoughtFile> sought;
    sought.reserve(part.size());
    for (const LabelledFile& entry : part)
        sought.push_back({entry.key, entry.path, 0});
    find_files(around_.lookups, job->caller.uid, sought,
               [this, job, paths, part = std::move(part), entries = std::move(entries)](std::vector<Finding> lost) mutable {
                   const auto kept = index_.transact([&] {
                       for (std::size_t place = 0; place < part.size(); ++place)
                           index_.keep(part[place], std::move(lost[place]));
                   });
                   static_cast<void>(kept);
                   look_at_lost(job, paths, std::move(entries));
               });
}

void LabelService::run(const JobPointer& job, const std::vector<std::string>& paths, std::vector<Finding> findings)
{
    std::vector<Done> done;
    const auto stored = index_.transact([&] { change_all(*job, paths, std::move(findings), done); });
    if (stored)
        announce(*job, done);
    else
        for (const Done& one : done)
            job->failures.push_back({one.path, stored.error()});
    // More urgent things come first.
    job->turn = around_.scheduler.idle([this, job] {
        look_up(job);
        return false;
    });
}

void LabelService::change_all(Job& job, const std::vector<std::string>& paths, std::vector<Finding> findings,
                              std::vector<Done>& ret_done)
{
    for (std::size_t place = 0; place < paths.size(); ++place) {
        auto changes = change(job, paths[place], std::move(findings[place]));
        if (!changes && changes.error().code == ErrorCode::NotOwner && !job.with_authority)
            job.others.push_back(paths[place]);
        else if (!changes)
            job.failures.push_back({paths[place], changes.error()});
        else
            for (LabelIndex::Change& change : *changes)
                ret_done.push_back({paths[place], std::move(change)});
    }
}

Result<std::vector<LabelIndex::Change>> LabelService::change(const Job& job, const std::string& path, Finding finding)
{
    const auto file = describe(std::move(finding));
    std::vector<LabelIndex::Change> changes;
    if (!file && file.error().code == ErrorCode::NotFound && !job.adds()) {
        auto forgotten = index_.forget(path, job.right());
        if (!forgotten)
            return forgotten.error();
        for (LabelledFile& entry : *forgotten)
            changes.push_back({std::move(entry), true});
        return changes;
    }
    if (!file)
        return file.error();
    auto changed = job.adds() ? index_.mark(*file, job.category, job.right()) : index_.unmark(*file, job.right());
    if (!changed)
        return changed.error();
    changes.push_back(std::move(*changed));
    return changes;
}

void LabelService::announce(Job& job, const std::vector<Done>& done)
{
    std::vector<LabelledFile> changed;
    for (const Done& one : done) {
        if (!one.change.changed)
            continue;
        job.changed_owners.insert(one.change.entry.owner);
        changed.push_back(one.change.entry);
        if (job.adds())
            shadows_.request(one.change.entry.id);
    }
    log_.record(job.adds() ? "labelled" : "unlabelled", changed);
}

void LabelService::finish_pass(const JobPointer& job)
{
    if (job->others.empty() || job->with_authority) {
        end(job);
        return;
    }
    around_.gate.pass(
        job->caller, job->method(), Reach::Others,
        [this, job](const Result<void>& passed) {
            if (!passed) {
                for (const std::string& path : job->others)
                    job->failures.push_back({path, {ErrorCode::NotOwner, "not a file of yours"}});
                end(job);
                return;
            }
            job->paths = std::move(job->others);
            job->position = 0;
            job->with_authority = true;
            look_up(job);
        },
        job->details());
}

void LabelService::end(const JobPointer& job)
{
    // This breaks the cycle of the job and its own turn.
    const auto ended = std::move(job->turn);
    for (const uid_t owner : job->changed_owners)
        around_.signals.labels_changed(owner);
    job->reply(std::move(job->failures));
}

void LabelService::show(const Caller& caller, const std::string& path, Reply<LabelledFile> reply)
{
    find_paths(around_.lookups, caller, false, {path},
               [this, caller, path, reply = std::move(reply)](std::vector<Finding> findings) {
                   show_found(caller, path, std::move(findings.front()), reply);
               });
}

void LabelService::show_found(const Caller& caller, const std::string& path, Finding finding, const Reply<LabelledFile>& reply)
{
    const auto file = describe(std::move(finding));
    if (!file) {
        for (const LabelledFile& entry : labels_.find_at(path)) {
            if (file.error().code == ErrorCode::NotFound && (caller.is_root() || entry.owner == caller.uid))
                return reply(entry);
        }
        return reply(file.error());
    }
    if (!caller.is_root() && file->owner != caller.uid)
        return reply(Error{ErrorCode::NotOwner, "not a file of yours"});
    LabelledFile entry = index_.find(*file).value_or(LabelledFile{});
    entry.path = file->path;
    entry.owner = file->owner;
    const auto opened = around_.kernel.open_file(file->fd.get());
    // Without the module there is only the index.
    if (const auto label = opened ? around_.kernel.get_label(opened->get()) : Result<Label>(opened.error()); label) {
        entry.label = *label;
        entry.categories = labels_.kinds(*label);
    }
    entry.presence = Presence::Kept;
    entry.shadow = static_cast<bool>(shadows_.open_current(entry, *file));
    reply(std::move(entry));
}

void LabelService::list(const Caller& caller, std::uint32_t offset, std::uint32_t limit, Reply<FilePage> reply)
{
    const auto owner = visible_owner(caller);
    reply(FilePage{labels_.list(owner, offset, limit), labels_.count(owner)});
}

Result<std::vector<std::string>> LabelService::guarded_of(uid_t owner)
{
    const auto guarded = labels_.guarded();
    if (!guarded)
        return guarded.error();
    std::vector<std::string> kinds;
    for (const Category& category : *guarded) {
        if (category.owner == owner)
            kinds.push_back(category.kind);
    }
    std::ranges::sort(kinds);
    return kinds;
}

void LabelService::guarded(const Caller& caller, Reply<std::vector<std::string>> reply)
{
    reply(guarded_of(caller.uid));
}

void LabelService::guard(const Caller& caller, const std::vector<std::string>& kinds, Reply<void> reply)
{
    const auto unknown = std::ranges::find_if_not(kinds, is_category_kind);
    if (unknown != kinds.end()) {
        reply(Error{ErrorCode::InvalidCategory, "unknown category: " + *unknown});
        return;
    }
    const auto before = guarded_of(caller.uid);
    if (!before) {
        reply(before.error());
        return;
    }
    const bool keeps_all =
        std::ranges::all_of(*before, [&](const std::string& kind) { return std::ranges::count(kinds, kind) > 0; });
    around_.gate.pass(caller, contract::labels::guard, keeps_all ? Reach::Own : Reach::OwnLasting,
                      [this, owner = caller.uid, kinds, reply](const Result<void>& passed) {
                          auto stored = passed ? store_guard(owner, kinds) : passed;
                          if (stored)
                              around_.signals.labels_changed(owner);
                          reply(stored);
                      });
}

Result<void> LabelService::store_guard(uid_t owner, const std::vector<std::string>& kinds)
{
    const auto stored = store_and_apply(owner, kinds);
    // The kernel was told something else than has been stored.
    if (!stored)
        static_cast<void>(apply_guard());
    return stored;
}

Result<void> LabelService::store_and_apply(uid_t owner, const std::vector<std::string>& kinds)
{
    Transaction transaction(database_);
    if (auto begun = transaction.begun(); !begun)
        return begun;
    for (const std::string_view kind : category_kinds) {
        const bool guarded = std::ranges::count(kinds, kind) > 0;
        if (auto set = labels_.set_guarded({category_id(kind, owner), std::string(kind), owner}, guarded); !set)
            return set;
    }
    const auto all = labels_.guarded();
    if (!all)
        return all.error();
    // The many users of an account share the slots that one person has.
    const auto is_alike = [&](const Category& category) { return account_of(category.owner) == account_of(owner); };
    if (static_cast<std::size_t>(std::ranges::count_if(*all, is_alike)) > category_kinds.size())
        return Error{ErrorCode::TooMany, "too many users guard their files together"};
    if (all->size() > guarded_max)
        return Error{ErrorCode::TooMany, "too many people guard their files on this machine"};
    // Without the module it comes into force once the module is there.
    if (const auto applied = apply_guard(); !applied && applied.error().code != ErrorCode::ModuleAbsent)
        return applied;
    return transaction.commit();
}

Result<void> LabelService::apply_guard()
{
    const auto guarded = labels_.guarded();
    if (!guarded)
        return guarded.error();
    std::vector<CategoryId> ids;
    for (const Category& category : *guarded)
        ids.push_back(category.id);
    return around_.kernel.set_guarded(ids);
}

} // namespace tacet
