// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/label_index.h"

#include <algorithm>
#include <ranges>

namespace tacet {
namespace {

const Error not_owner{ErrorCode::NotOwner, "not a file of yours"};

LabelledFile new_entry(const Clock& clock, bool derived)
{
    LabelledFile entry;
    entry.derived = derived;
    entry.since = clock.realtime();
    return entry;
}

Presence absence(const Error& error)
{
    return error.code == ErrorCode::Failed ? Presence::Failed : Presence::Gone;
}

} // namespace

std::optional<LabelledFile> LabelIndex::find(const FileIdentity& identity)
{
    const auto place = seen_.find(identity);
    return place == seen_.end() ? std::nullopt : store_.find(place->second);
}

// Finds the entry by the file's key. An entry of a file that nobody had seen is found by its numbers.
std::optional<LabelledFile> LabelIndex::find(const FoundFile& file)
{
    if (auto entry = store_.find(file.key))
        return entry;
    auto entry = find(file.identity);
    return entry && numbers_of(entry->key) ? entry : std::nullopt;
}

Result<void> LabelIndex::transact(const std::function<void()>& changes)
{
    Transaction transaction(database_);
    written_ = transaction.begun();
    if (written_)
        changes();
    auto outcome = written_ ? transaction.commit() : written_;
    const auto undo = std::exchange(undo_, {});
    if (!outcome) {
        for (const auto& step : undo | std::views::reverse)
            step();
        store_.forget_totals();
    }
    undo_.clear();
    for (const std::int64_t id : std::exchange(removed_, {})) {
        if (outcome && on_removed)
            on_removed(id);
    }
    return outcome;
}

void LabelIndex::expect(const Result<void>& written)
{
    if (written_ && !written)
        written_ = written;
}

Result<LabelIndex::Opened> LabelIndex::open(const FoundFile& file, const LabelRight& right)
{
    if (!right.allows(file.owner))
        return not_owner;
    auto opened = kernel_.open_file(file.fd.get());
    const auto label = opened ? kernel_.get_label(opened->get()) : Result<Label>(opened.error());
    if (!label)
        return label.error();
    return Opened{std::make_shared<UniqueFd>(std::move(*opened)), *label, find(file)};
}

Result<void> LabelIndex::set_label(const Opened& opened, const Label& label)
{
    if (auto set = kernel_.set_label(opened.file->get(), label, -1); !set)
        return set;
    undo_.emplace_back([this, opened] { static_cast<void>(kernel_.set_label(opened.file->get(), opened.label, -1)); });
    return {};
}

Result<LabelIndex::Change> LabelIndex::mark(const FoundFile& file, const std::string& kind, const LabelRight& right)
{
    const auto opened = open(file, right);
    if (!opened)
        return opened.error();
    const Category category{category_id(kind, file.owner), kind, file.owner};
    const auto label = unite(opened->label, make_label({category.id}));
    if (!label)
        return Error{ErrorCode::TooMany, "a file carries at most 16 categories"};
    // An entry that is new, or derived, becomes one more that a person has labelled.
    LabelledFile entry = opened->entry.value_or(new_entry(clock_, true));
    if (entry.derived && store_.totals(file.owner).labels >= limit_of(Resource::Labels))
        return Error{ErrorCode::TooMany, "too many sensitive files of one person"};
    const LabelledFile before = entry;
    entry.key = file.key;
    entry.path = file.path;
    entry.owner = file.owner;
    entry.label = *label;
    entry.derived = false;
    entry.presence = Presence::Kept;
    if (opened->entry && entry == before && opened->label == *label) {
        see(entry.id, file.identity);
        return Change{std::move(entry), false};
    }
    if (auto set = set_label(*opened, *label); !set)
        return set.error();
    expect(store_.declare(category));
    write(entry, file.identity);
    return Change{std::move(entry), true};
}

Result<LabelIndex::Change> LabelIndex::unmark(const FoundFile& file, const LabelRight& right)
{
    const auto opened = open(file, right);
    if (!opened)
        return opened.error();
    if (opened->label.empty() && !opened->entry)
        return Error{ErrorCode::NotLabelled, "the file is not sensitive"};
    if (auto set = set_label(*opened, {}); !set)
        return set.error();
    LabelledFile entry = opened->entry.value_or(LabelledFile{});
    entry.path = file.path;
    entry.owner = file.owner;
    if (opened->entry)
        remove(entry.id);
    return Change{std::move(entry), true};
}

Result<std::vector<LabelledFile>> LabelIndex::forget(const std::string& path, const LabelRight& right)
{
    std::vector<LabelledFile> entries = store_.find_at(path);
    std::erase_if(entries, [](const LabelledFile& entry) { return entry.presence == Presence::Kept; });
    if (entries.empty())
        return Error{ErrorCode::NotFound, "no such file"};
    std::erase_if(entries, [&](const LabelledFile& entry) { return !right.allows(entry.owner); });
    if (entries.empty())
        return not_owner;
    for (const LabelledFile& entry : entries)
        remove(entry.id);
    return entries;
}

void LabelIndex::keep(LabelledFile& entry, Finding finding)
{
    const LabelledFile before = entry;
    // The file may have been moved, and a look through its file system will find it.
    const std::string elsewhere = finding.presence == Presence::Kept ? "" : finding.key.file_system;
    entry.presence = finding.presence;
    if (finding.presence == Presence::Kept) {
        const auto file = describe(std::move(finding));
        entry.presence = file ? arm(entry, *file) : absence(file.error());
        if (entry.presence == Presence::Kept) {
            see(entry.id, file->identity);
            if (entry != before)
                write(entry, file->identity);
            return;
        }
    }
    if (!elsewhere.empty())
        set_incomplete(elsewhere);
    if (entry.presence == Presence::Gone && entry.derived) {
        remove(entry.id);
        return;
    }
    if (entry.presence != Presence::Failed)
        forget_place(entry.id);
    if (entry != before)
        expect(store_.update(entry));
}

Presence LabelIndex::arm(LabelledFile& entry, const FoundFile& file)
{
    const auto opened = kernel_.open_file(file.fd.get());
    if (!opened)
        return Presence::Failed;
    const UniqueFd shadow = open_shadow ? open_shadow(entry, file) : UniqueFd();
    if (auto kept = kernel_.keep_label(opened->get(), shadow ? shadow.get() : -1); !kept)
        return kept.error().code == ErrorCode::NotLabelled ? Presence::Gone : Presence::Failed;
    if (const auto label = kernel_.get_label(opened->get()); label)
        entry.label = *label;
    entry.key = file.key;
    entry.owner = file.owner;
    if (!file.path.empty())
        entry.path = file.path;
    entry.presence = Presence::Kept;
    entry.shadow = static_cast<bool>(shadow);
    return Presence::Kept;
}

Result<LabelledFile> LabelIndex::take_in(const FoundFile& file, bool derived)
{
    auto known = find(file);
    LabelledFile entry = known.value_or(new_entry(clock_, derived));
    const Presence presence = arm(entry, file);
    if (presence != Presence::Kept)
        return Error{presence == Presence::Gone ? ErrorCode::NotLabelled : ErrorCode::Failed, "the label could not be armed"};
    see(entry.id, file.identity);
    if (known && entry == *known)
        return entry;
    // A category's id is made of kind and owner. So the kinds of a lost index are found again by trying them all.
    for (const std::string_view kind : category_kinds)
        expect(store_.declare({category_id(kind, file.owner), std::string(kind), file.owner}));
    write(entry, file.identity);
    return entry;
}

LabelledFile LabelIndex::note(const Notice& notice, const std::string& file_system)
{
    auto known = find(notice.file);
    LabelledFile entry = known.value_or(new_entry(clock_, true));
    if (!known) {
        entry.key = number_key(notice.file.device, notice.file.inode, clock_.boot_id());
        entry.path = notice.path;
        entry.owner = person_of(notice.label);
        entry.presence = Presence::Failed;
    }
    entry.label = notice.label;
    write(entry, notice.file);
    if (!known)
        charge(entry.id, account_of(notice.uid));
    set_incomplete(file_system);
    return entry;
}

void LabelIndex::set_complete(const std::string& file_system)
{
    if (!marked_.contains("") && !marked_.contains(file_system))
        expect(store_.set_complete(file_system));
}

void LabelIndex::set_all_complete()
{
    if (!marked_.contains(""))
        expect(store_.set_all_complete(clock_.boot_id()));
}

void LabelIndex::set_incomplete(const std::string& file_system)
{
    marked_.insert(file_system);
    expect(file_system.empty() ? store_.set_incomplete() : store_.set_incomplete(file_system));
}

// Two entries of one inode become one. One of them knew only its numbers, or those of its file system.
void LabelIndex::write(LabelledFile& entry, const FileIdentity& identity)
{
    for (const auto& other : {store_.find(entry.key), find(identity)}) {
        if (!other || other->id == entry.id || (other->key != entry.key && !numbers_of(other->key)))
            continue;
        // What a person has labelled stays his.
        entry.derived = entry.derived && other->derived;
        entry.since = std::min(entry.since, other->since);
        remove(other->id);
    }
    if (!numbers_of(entry.key))
        discharge(entry.id);
    if (entry.id != 0) {
        expect(store_.update(entry));
    } else if (const auto id = store_.put(entry)) {
        entry.id = *id;
    } else {
        expect(id.error());
    }
    entry.categories = store_.kinds(entry.label);
    see(entry.id, identity);
}

void LabelIndex::remove(std::int64_t id)
{
    expect(store_.remove(id));
    forget_place(id);
    discharge(id);
    removed_.push_back(id);
}

std::size_t LabelIndex::noted_of(uid_t user) const
{
    const auto found = noted_of_.find(account_of(user));
    return found == noted_of_.end() ? 0 : found->second;
}

void LabelIndex::charge(std::int64_t id, uid_t account)
{
    if (!noted_.emplace(id, account).second)
        return;
    ++noted_of_[account];
    undo_.emplace_back([this, id] { discharge(id); });
}

void LabelIndex::discharge(std::int64_t id)
{
    const auto noted = noted_.extract(id);
    if (noted.empty())
        return;
    --noted_of_[noted.mapped()];
    undo_.emplace_back([this, id, account = noted.mapped()] { charge(id, account); });
}

void LabelIndex::see(std::int64_t id, const FileIdentity& identity)
{
    if (const auto place = places_.find(id); id == 0 || (place != places_.end() && place->second == identity))
        return;
    forget_place(id);
    if (const auto other = seen_.find(identity); other != seen_.end())
        forget_place(other->second);
    seen_[identity] = id;
    places_[id] = identity;
    undo_.emplace_back([this, id] { forget_place(id); });
}

void LabelIndex::forget_place(std::int64_t id)
{
    const auto place = places_.extract(id);
    if (place.empty())
        return;
    seen_.erase(place.mapped());
    undo_.emplace_back([this, id, identity = place.mapped()] { see(id, identity); });
}

} // namespace tacet
