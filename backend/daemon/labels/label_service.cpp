// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/label_service.h"

#include <algorithm>
#include <set>

#include "contract/methods.h"
#include "daemon/labels/file_access.h"

namespace tacet {
namespace {

constexpr std::size_t batch_size = 64;

const Error busy{ErrorCode::TooMany, "too many requests are being worked on"};
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
};

// The earlier label of one file, to restore it when its batch cannot be stored.
struct LabelService::Done {
    std::string path;
    UniqueFd file;
    Label before;
    LabelledFile entry;
    bool changed = false;
};

LabelService::LabelService(Database& database, LabelStore& labels, ShadowService& shadows, ActivityLog& log,
                           Surroundings surroundings)
    : database_(database), labels_(labels), shadows_(shadows), log_(log), around_(surroundings)
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
    const auto of_user = std::ranges::count_if(jobs_, [&](const auto& other) { return other->caller.uid == job->caller.uid; });
    if (jobs_.size() >= jobs_max || static_cast<std::size_t>(of_user) >= jobs_max_of_user) {
        job->reply(busy);
        return;
    }
    jobs_.push_back(job);
    around_.gate.pass(job->caller, job->method(), Reach::Own, [this, job](const Result<void>& passed) {
        if (!passed) {
            jobs_.remove(job);
            job->reply(passed.error());
            return;
        }
        job->turn = around_.scheduler.idle([this, job] { return step(job); });
    });
}

bool LabelService::step(const JobPointer& job)
{
    std::vector<Done> done;
    if (auto stored = run_batch(*job, done); !stored)
        fail_batch(*job, done, stored.error());
    else
        announce(*job, done);
    if (job->position < job->paths.size())
        return true;
    finish_pass(job);
    return false;
}

Result<void> LabelService::run_batch(Job& job, std::vector<Done>& ret_done)
{
    Transaction transaction(database_);
    if (auto begun = transaction.begun(); !begun) {
        job.position = std::min(job.position + batch_size, job.paths.size());
        return begun;
    }
    for (std::size_t count = 0; count < batch_size && job.position < job.paths.size(); ++count) {
        const std::string& path = job.paths[job.position++];
        auto done = job.adds() ? add_one(job, path) : remove_one(job, path);
        if (done)
            ret_done.push_back(std::move(*done));
        else if (done.error().code == ErrorCode::NotOwner && !job.with_authority)
            job.others.push_back(path);
        else
            job.failures.push_back({path, done.error()});
    }
    return transaction.commit();
}

void LabelService::fail_batch(Job& job, std::vector<Done>& done, const Error& error)
{
    for (const Done& one : done) {
        if (one.changed && one.file)
            static_cast<void>(around_.kernel.set_label(one.file.get(), one.before, -1));
        job.failures.push_back({one.path, error});
    }
}

void LabelService::announce(Job& job, const std::vector<Done>& done)
{
    std::vector<LabelledFile> changed;
    for (const Done& one : done) {
        if (!one.changed)
            continue;
        job.changed_owners.insert(one.entry.owner);
        changed.push_back(one.entry);
        if (job.adds())
            shadows_.request(one.entry.id);
        else
            shadows_.discard(one.entry.id);
    }
    log_.record(job.adds() ? "labelled" : "unlabelled", changed);
}

void LabelService::finish_pass(const JobPointer& job)
{
    if (job->others.empty() || job->with_authority) {
        reply_to(*job);
        jobs_.remove(job);
        return;
    }
    around_.gate.pass(job->caller, job->method(), Reach::Others, [this, job](const Result<void>& passed) {
        if (!passed) {
            for (const std::string& path : job->others)
                job->failures.push_back({path, {ErrorCode::NotOwner, "not a file of yours"}});
            reply_to(*job);
            jobs_.remove(job);
            return;
        }
        job->paths = std::move(job->others);
        job->position = 0;
        job->with_authority = true;
        job->turn = around_.scheduler.idle([this, job] { return step(job); });
    });
}

void LabelService::reply_to(Job& job)
{
    // This breaks the cycle of the job and its own turn.
    const auto ended = std::move(job.turn);
    for (const uid_t owner : job.changed_owners)
        around_.signals.labels_changed(owner);
    job.reply(std::move(job.failures));
}

Result<FoundFile> LabelService::find_for(const Job& job, const std::string& path) const
{
    if (job.with_authority)
        return find_file(path);
    auto file = find_file(path, job.caller);
    if (file && !job.caller.is_root() && file->owner != job.caller.uid)
        return Error{ErrorCode::NotOwner, "not a file of yours"};
    return file;
}

// Drops the entry of the same inode under a name that it no longer has.
Result<void> LabelService::drop_stale_path(const FoundFile& file)
{
    const auto known = labels_.find(file.identity);
    if (!known || known->path == file.path)
        return {};
    const auto there = find_file(known->path);
    if (there && there->identity == file.identity)
        return {};
    return labels_.remove(known->id);
}

Result<LabelService::Done> LabelService::add_one(const Job& job, const std::string& path)
{
    const auto found = find_for(job, path);
    if (!found)
        return found.error();
    auto file = around_.kernel.open_file(found->fd.get());
    if (!file)
        return file.error();
    const auto before = around_.kernel.get_label(file->get());
    if (!before)
        return before.error();
    const Category category{category_id(job.category, found->owner), job.category, found->owner};
    const auto label = unite(*before, make_label({category.id}));
    if (!label)
        return Error{ErrorCode::TooMany, "a file carries at most 16 categories"};
    LabelledFile entry = labels_.find(found->path).value_or(LabelledFile{});
    const bool known = entry.id != 0 && entry.identity == found->identity && entry.label == *label && !entry.derived;
    if (*label == *before && known)
        return Done{path, UniqueFd(), *before, entry, false};

    entry.path = found->path;
    entry.identity = found->identity;
    entry.handle = handle_of(*found);
    entry.owner = found->owner;
    entry.label = *label;
    entry.derived = false;
    entry.since = around_.clock.realtime();
    if (auto set = around_.kernel.set_label(file->get(), *label, -1); !set)
        return set.error();
    if (auto stored = store(category, *found, entry); !stored) {
        static_cast<void>(around_.kernel.set_label(file->get(), *before, -1));
        return stored.error();
    }
    return Done{path, std::move(*file), *before, std::move(entry), true};
}

Result<void> LabelService::store(const Category& category, const FoundFile& file, LabelledFile& entry)
{
    for (const auto& stored : {labels_.declare(category), drop_stale_path(file)}) {
        if (!stored)
            return stored;
    }
    const auto id = labels_.put(entry);
    if (!id)
        return id.error();
    entry.id = *id;
    entry.categories = labels_.kinds(entry.label);
    return {};
}

Result<LabelService::Done> LabelService::remove_one(const Job& job, const std::string& path)
{
    const auto found = find_for(job, path);
    if (!found)
        return found.error().code == ErrorCode::NotFound ? remove_missing(job, path) : found.error();
    auto file = around_.kernel.open_file(found->fd.get());
    if (!file)
        return file.error();
    const auto before = around_.kernel.get_label(file->get());
    if (!before)
        return before.error();
    auto entry = labels_.find(found->path);
    if (!entry)
        entry = labels_.find(found->identity);
    if (before->empty() && !entry)
        return Error{ErrorCode::NotLabelled, "the file is not sensitive"};
    if (!entry) {
        entry.emplace();
        entry->path = found->path;
        entry->owner = found->owner;
    }
    if (auto set = around_.kernel.set_label(file->get(), {}, -1); !set)
        return set.error();
    if (auto removed = labels_.remove(entry->id); !removed) {
        static_cast<void>(around_.kernel.set_label(file->get(), *before, -1));
        return removed.error();
    }
    return Done{path, std::move(*file), *before, std::move(*entry), true};
}

Result<LabelService::Done> LabelService::remove_missing(const Job& job, const std::string& path)
{
    auto entry = labels_.find(path);
    if (!entry)
        return Error{ErrorCode::NotFound, "no such file"};
    if (!job.with_authority && !job.caller.is_root() && entry->owner != job.caller.uid)
        return Error{ErrorCode::NotOwner, "not a file of yours"};
    if (auto removed = labels_.remove(entry->id); !removed)
        return removed.error();
    return Done{path, UniqueFd(), {}, std::move(*entry), true};
}

void LabelService::show(const Caller& caller, const std::string& path, Reply<LabelledFile> reply)
{
    const auto found = find_file(path, caller);
    if (!found) {
        const auto entry = found.error().code == ErrorCode::NotFound ? labels_.find(path) : std::nullopt;
        if (entry && (caller.is_root() || entry->owner == caller.uid))
            reply(*entry);
        else
            reply(found.error());
        return;
    }
    if (!caller.is_root() && found->owner != caller.uid) {
        reply(Error{ErrorCode::NotOwner, "not a file of yours"});
        return;
    }
    LabelledFile entry = labels_.find(found->path).value_or(LabelledFile{});
    entry.path = found->path;
    entry.owner = found->owner;
    const auto file = around_.kernel.open_file(found->fd.get());
    // Without the module there is only the index.
    if (const auto label = file ? around_.kernel.get_label(file->get()) : Result<Label>(file.error()); label) {
        entry.label = *label;
        entry.categories = labels_.kinds(*label);
    }
    entry.missing = false;
    entry.shadow = static_cast<bool>(shadows_.open_current(entry, *found));
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
