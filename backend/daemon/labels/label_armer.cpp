// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/label_armer.h"

#include <unistd.h>

#include <algorithm>

#include "common/journal.h"

namespace tacet {
namespace {

// An editor writes a temporary file and renames it, so the path is final a moment later.
constexpr auto refresh_delay = std::chrono::seconds(2);
constexpr auto retry_delay = std::chrono::minutes(5);
// A look gives a sign of life far more often than this.
constexpr auto look_patience = std::chrono::minutes(10);
constexpr auto failed_delay = std::chrono::hours(1);

} // namespace

LabelArmer::LabelArmer(LabelStore& labels, LabelIndex& index, ShadowService& shadows, ActivityLog& log, std::string folder,
                       Surroundings surroundings)
    : labels_(labels), index_(index), shadows_(shadows), log_(log), folder_(std::move(folder)), around_(surroundings)
{
}

bool LabelArmer::transact(const std::function<void()>& changes)
{
    const auto done = index_.transact(changes);
    if (!done) {
        journal(Priority::Error, "the index of labelled files: " + done.error().message);
        try_again_later();
    }
    return static_cast<bool>(done);
}

void LabelArmer::arm(std::function<void()> done)
{
    if (done)
        after_pass_.push_back(std::move(done));
    passes_again_ = is_passing_;
    if (is_passing_)
        return;
    is_passing_ = true;
    position_ = 0;
    arm_batch();
}

void LabelArmer::arm_batch()
{
    auto entries = labels_.after(position_, batch);
    if (entries.empty() || around_.kernel.state() != ModuleState::Active) {
        end_pass();
        return;
    }
    position_ = entries.back().id;
    Part part;
    for (const LabelledFile& entry : entries)
        part.sought.push_back({entry.key, entry.path, 0});
    part.entries = std::move(entries);
    look_at(own_account, std::move(part), [this] { arm_batch(); });
}

void LabelArmer::end_pass()
{
    is_passing_ = false;
    for (const auto& done : std::exchange(after_pass_, {}))
        done();
    if (std::exchange(passes_again_, false))
        arm();
    else
        look_through();
}

void LabelArmer::keep(const std::vector<LabelledFile>& entries, std::vector<Finding> findings)
{
    std::vector<LabelledFile> changed;
    const bool kept = transact([&] {
        for (std::size_t place = 0; place < entries.size(); ++place)
            keep_one(entries[place], std::move(findings[place]), changed);
    });
    if (!kept)
        return;
    for (const LabelledFile& entry : changed) {
        around_.signals.labels_changed(entry.owner);
    }
}

// The look-up took its time. An entry that has changed since is left as it is.
void LabelArmer::keep_one(const LabelledFile& sought, Finding finding, std::vector<LabelledFile>& ret_changed)
{
    auto entry = labels_.find(sought.id);
    if (!entry || entry->key != sought.key)
        return;
    const LabelledFile before = *entry;
    const std::string reason = finding.error.message;
    index_.keep(*entry, std::move(finding));
    if (entry->presence == Presence::Failed) {
        journal(Priority::Warning, entry->path + " is looked for again later: " + reason);
        try_again_later();
    }
    if (entry->presence == Presence::Kept && !entry->shadow)
        shadows_.ensure(entry->id);
    if (*entry != before)
        ret_changed.push_back(std::move(*entry));
}

void LabelArmer::try_again_later()
{
    if (retry_ == nullptr)
        retry_ = around_.scheduler.at(around_.clock.boottime() + retry_delay, [this] {
            const auto ended = std::move(retry_);
            arm();
        });
}

void LabelArmer::adopt(std::vector<std::string> paths)
{
    const std::vector<std::string> part(paths.end() - static_cast<std::ptrdiff_t>(std::min(batch, paths.size())), paths.end());
    paths.resize(paths.size() - part.size());
    // The paths alone have to do, as the daemon itself wrote them down.
    Caller self;
    self.pid = getpid();
    find_paths(around_.lookups, self, true, part, [this, paths = std::move(paths)](std::vector<Finding> findings) {
        for (Finding& finding : findings) {
            if (const auto file = describe(std::move(finding)); file)
                take_in(*file);
        }
        if (!paths.empty())
            adopt(paths);
    });
}

void LabelArmer::distrust()
{
    is_distrusted_ = true;
    // A running look goes on. If each such notice began it anew, it would never come to its end.
    is_distrusted_anew_ = looks_again_ = look_ != nullptr;
    is_noted_ = transact([this] { index_.set_incomplete({}); });
}

bool LabelArmer::is_settled() const
{
    return notices_ == 0 && (!is_distrusted_ || is_noted_) && !labels_.has_numbered();
}

// What a look completes counts only if the store knows that all else is incomplete.
bool LabelArmer::transact_of_look(const std::function<void()>& changes)
{
    const bool done = transact([&] {
        if (!is_noted_)
            index_.repeat_incomplete();
        changes();
    });
    is_noted_ = is_noted_ || done;
    return done;
}

void LabelArmer::look_through()
{
    looks_again_ = look_ != nullptr;
    if (around_.kernel.state() != ModuleState::Active || looks_again_)
        return;
    index_.begin_look();
    is_distrusted_anew_ = has_missed_ = has_hidden_ = false;
    looked_at_.clear();
    // A disk that is here for the first time is looked through only if it may have been here before the store was lost. A store
    // that could not be written still says that all is complete, so it is not asked.
    const bool knows_all = is_noted_ && labels_.knows_all_file_systems();
    std::vector<std::string> named = is_noted_ ? labels_.file_systems(!knows_all) : std::vector<std::string>();
    std::erase_if(named, [this](const std::string& name) { return failed_.contains(name); });
    if (!knows_all)
        named.insert(named.end(), failed_.begin(), failed_.end());
    look_ = around_.lookups.look_through(label_request(folder_, knows_all, named),
                                         [this](LookupReply reply) { take_look(std::move(reply)); });
    await_look();
}

void LabelArmer::await_look()
{
    overdue_ = around_.scheduler.at(around_.clock.boottime() + look_patience, [this] { give_up_look(); });
}

// The disk that holds the look up is left out for a while, and the others are looked through.
void LabelArmer::give_up_look()
{
    const auto ended = std::move(overdue_);
    look_.reset();
    if (looked_at_.empty()) {
        try_again_later();
        return;
    }
    fail(looked_at_);
    look_through();
}

void LabelArmer::fail(const std::string& file_system)
{
    journal(Priority::Warning, "not all of the file system " + file_system + " could be looked through for labels");
    transact_of_look([&] { index_.set_incomplete(file_system); });
    failed_.insert(file_system);
    around_.signals.protection_changed();
    if (failed_retry_ == nullptr)
        failed_retry_ = around_.scheduler.at(around_.clock.boottime() + failed_delay, [this] {
            const auto ended = std::move(failed_retry_);
            failed_.clear();
            arm();
            around_.signals.protection_changed();
        });
}

void LabelArmer::take_look(LookupReply reply)
{
    await_look();
    const std::string verb = reply.words.empty() ? "" : reply.words.front();
    if (verb.empty() || verb == "end") {
        end_look(!verb.empty());
    } else if (verb == "into") {
        looked_at_ = reply.words.back();
    } else if (verb == "through") {
        end_file_system(reply.words.back());
    } else if (verb == "seen") {
        const std::string& file_system = reply.words.back();
        const bool has_failed = failed_.contains(file_system);
        transact_of_look([&] { has_failed ? index_.set_incomplete(file_system) : index_.set_seen(file_system); });
    } else if (verb == "going") {
        return;
    } else if (const auto file = describe(finding_of(std::move(reply))); file) {
        take_in(*file);
    } else {
        has_hidden_ = has_hidden_ || file.error().code != ErrorCode::NotFound;
    }
}

void LabelArmer::end_file_system(const std::string& file_system)
{
    const bool has_missed = std::exchange(has_missed_, false);
    if (std::exchange(has_hidden_, false))
        fail(file_system);
    else if (!has_missed)
        transact_of_look([&] { index_.set_complete(file_system); });
}

void LabelArmer::take_in(const FoundFile& file)
{
    const bool is_new = !index_.find(file);
    Result<LabelledFile> entry = Error{};
    const bool done = transact([&] { entry = index_.take_in(file, false); });
    if (!done || !entry) {
        has_missed_ = has_missed_ || !done || entry.error().code != ErrorCode::NotLabelled;
        return;
    }
    if (is_new)
        around_.signals.labels_changed(entry->owner);
    if (!entry->shadow)
        shadows_.ensure(entry->id);
}

void LabelArmer::end_look(bool whole)
{
    const auto ended = std::move(look_);
    overdue_.reset();
    if (!whole || !transact_of_look([this] { index_.set_all_complete(); })) {
        try_again_later();
        return;
    }
    if (!is_distrusted_anew_ && std::exchange(is_distrusted_, false))
        around_.signals.protection_changed();
    if (looks_again_)
        look_through();
}

std::string LabelArmer::state() const
{
    if (is_distrusted_)
        return "being-rebuilt";
    return is_full_ || !failed_.empty() || labels_.count_failed() != 0 ? "files-failed" : "";
}

void LabelArmer::on_labelled(const Notice& notice)
{
    const SoughtFile sought{number_key(notice.file.device, notice.file.inode, around_.clock.boot_id()), notice.path, notice.pid};
    ++notices_;
    find_files(around_.lookups, notice.uid, {sought}, [this, notice](std::vector<Finding> findings) {
        --notices_;
        settle(notice, std::move(findings.front()));
    });
}

// The kernel tells which inode it is, and the inode tells whose it is.
void LabelArmer::settle(const Notice& notice, Finding finding)
{
    const std::string file_system = finding.key.file_system;
    const auto file = describe(std::move(finding));
    // A file that was not found becomes the entry of the person whose data it is. Its room is that of the user who wrote it.
    if (!index_.find(notice.file) && !has_room(file ? file->owner : notice.uid)) {
        // It is in force until the boot ends. The look after the next start finds it.
        transact([&] { index_.set_incomplete(file ? file->key.file_system : file_system); });
        if (!std::exchange(is_full_, true))
            around_.signals.protection_changed();
        return;
    }
    const bool is_derived = notice.kind == NoticeKind::Labelled;
    Result<LabelledFile> entry = Error{};
    if (!transact([&] { entry = file ? index_.take_in(*file, is_derived) : index_.note(notice, file_system); }) || !entry)
        return;
    if (is_derived)
        log_.record("derived", {*entry});
    around_.signals.labels_changed(entry->owner);
    shadows_.request_later(entry->id);
    refresh_soon(entry->id, {notice.uid, notice.path, notice.pid});
}

bool LabelArmer::has_room(uid_t user)
{
    return labels_.totals(user).derived + index_.noted_of(user) < derived_max;
}

void LabelArmer::on_stale(const Notice& notice)
{
    const auto entry = index_.find(notice.file);
    if (!entry) {
        on_labelled(notice);
        return;
    }
    shadows_.request_later(entry->id);
    if (entry->path != notice.path)
        refresh_soon(entry->id, {notice.uid, notice.path, notice.pid});
}

void LabelArmer::refresh_soon(std::int64_t id, Refresh refresh)
{
    to_refresh_[id] = std::move(refresh);
    if (refresh_ == nullptr)
        refresh_ = around_.scheduler.at(around_.clock.boottime() + refresh_delay, [this] { refresh_all(); });
}

void LabelArmer::refresh_all()
{
    const auto ended = std::move(refresh_);
    std::map<uid_t, Part> parts;
    for (const auto& [id, refresh] : std::exchange(to_refresh_, {})) {
        const auto entry = labels_.find(id);
        if (!entry)
            continue;
        Part& part = parts[refresh.account];
        part.sought.push_back({entry->key, refresh.path, refresh.pid});
        part.entries.push_back(*entry);
        if (part.entries.size() == batch)
            look_at(refresh.account, std::exchange(part, {}), [] {});
    }
    for (auto& [account, part] : parts)
        look_at(account, std::move(part), [] {});
}

void LabelArmer::look_at(uid_t account, Part part, std::function<void()> done)
{
    find_files(around_.lookups, account, part.sought,
               [this, entries = std::move(part.entries), done = std::move(done)](std::vector<Finding> findings) {
                   keep(entries, std::move(findings));
                   done();
               });
}

} // namespace tacet
