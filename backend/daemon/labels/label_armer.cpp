// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/label_armer.h"

#include "common/journal.h"

namespace tacet {
namespace {

// An editor writes a temporary file and renames it, so the path is final a moment later.
constexpr auto refresh_delay = std::chrono::seconds(2);

} // namespace

LabelArmer::LabelArmer(Database& database, LabelStore& labels, ShadowService& shadows, ActivityLog& log,
                       Surroundings surroundings)
    : database_(database), labels_(labels), shadows_(shadows), log_(log), around_(surroundings)
{
}

void LabelArmer::arm_all()
{
    position_ = 0;
    while (arm_batch()) {
    }
}

void LabelArmer::arm_in_background()
{
    position_ = 0;
    background_ = around_.scheduler.idle([this] { return arm_batch(); });
}

bool LabelArmer::arm_batch()
{
    if (around_.kernel.state() != ModuleState::Active)
        return false;
    const auto entries = labels_.after(position_, batch);
    for (const LabelledFile& entry : entries) {
        position_ = entry.id;
        arm(entry);
    }
    return !entries.empty();
}

void LabelArmer::arm(LabelledFile entry)
{
    if (const auto file = find_file(entry.path); file && keep(entry, *file))
        return;
    if (const auto file = find_by_handle(entry.handle, entry.path); file && keep(entry, *file))
        return;
    mark_lost(entry);
}

bool LabelArmer::keep(LabelledFile& entry, const FoundFile& file)
{
    const auto readable = around_.kernel.open_file(file.fd.get());
    if (!readable)
        return false;
    const UniqueFd shadow = shadows_.open_current(entry, file);
    if (!around_.kernel.keep_label(readable->get(), shadow ? shadow.get() : -1))
        return false;
    if (entry.path != file.path || entry.identity != file.identity || entry.missing) {
        entry.path = file.path;
        entry.identity = file.identity;
        entry.handle = handle_of(file);
        if (auto moved = move(entry); !moved)
            journal(Priority::Warning, "a labelled file moved, the index does not know: " + moved.error().message);
        around_.signals.labels_changed(entry.owner);
    }
    if (!shadow)
        shadows_.request(entry.id);
    return true;
}

Result<std::int64_t> LabelArmer::put(const LabelledFile& entry)
{
    Transaction transaction(database_);
    if (auto begun = transaction.begun(); !begun)
        return begun.error();
    auto id = labels_.put(entry);
    if (!id)
        return id;
    if (auto committed = transaction.commit(); !committed)
        return committed.error();
    return id;
}

Result<void> LabelArmer::move(const LabelledFile& entry)
{
    Transaction transaction(database_);
    if (auto begun = transaction.begun(); !begun)
        return begun;
    if (auto moved = labels_.move(entry); !moved)
        return moved;
    return transaction.commit();
}

void LabelArmer::mark_lost(const LabelledFile& entry)
{
    if (entry.derived) {
        // A derived file that is gone is of no interest to its owner.
        static_cast<void>(labels_.remove(entry.id));
        shadows_.discard(entry.id);
    } else if (!entry.missing) {
        static_cast<void>(labels_.set_missing(entry.id, true));
    } else {
        return;
    }
    around_.signals.labels_changed(entry.owner);
}

void LabelArmer::adopt(const std::vector<std::string>& paths)
{
    for (const std::string& path : paths) {
        const auto file = find_file(path);
        const auto readable = file ? around_.kernel.open_file(file->fd.get()) : Result<UniqueFd>(file.error());
        if (!readable || !around_.kernel.keep_label(readable->get(), -1))
            continue;
        const auto label = around_.kernel.get_label(readable->get());
        if (!label || label->empty())
            continue;
        // A category's id is made of kind and owner. So its kind is found again by trying them all.
        for (const std::string_view kind : category_kinds)
            static_cast<void>(labels_.declare({category_id(kind, file->owner), std::string(kind), file->owner}));
        LabelledFile entry;
        entry.path = file->path;
        entry.identity = file->identity;
        entry.handle = handle_of(*file);
        entry.owner = file->owner;
        entry.label = *label;
        entry.since = around_.clock.realtime();
        if (const auto id = put(entry); id)
            shadows_.request(*id);
    }
}

void LabelArmer::on_labelled(const Notice& notice)
{
    LabelledFile entry;
    entry.path = notice.path;
    entry.identity = notice.file;
    entry.owner = notice.uid;
    entry.label = notice.label;
    entry.derived = true;
    entry.since = around_.clock.realtime();
    if (const auto file = find_file(notice.path); file && file->identity == notice.file) {
        entry.handle = handle_of(*file);
        entry.owner = file->owner;
    }
    if (const auto known = labels_.find(notice.path); known && known->identity == notice.file)
        entry.derived = known->derived;
    if (entry.derived && labels_.count(entry.owner) >= derived_max)
        return;
    const auto id = put(entry);
    if (!id) {
        journal(Priority::Error, "a derived file is not in the index: " + id.error().message);
        return;
    }
    entry.categories = labels_.kinds(entry.label);
    log_.record("derived", {entry});
    around_.signals.labels_changed(entry.owner);
    shadows_.request_later(*id);
    refresh_soon(*id);
}

void LabelArmer::on_stale(const Notice& notice)
{
    const auto entry = labels_.find(notice.file);
    if (!entry)
        return;
    shadows_.request_later(entry->id);
    if (entry->path != notice.path)
        refresh_soon(entry->id);
}

void LabelArmer::refresh_soon(std::int64_t id)
{
    to_refresh_.insert(id);
    if (refresh_ == nullptr)
        refresh_ = around_.scheduler.at(around_.clock.boottime() + refresh_delay, [this] { refresh_all(); });
}

void LabelArmer::refresh_all()
{
    const auto ids = std::exchange(to_refresh_, {});
    const auto ended = std::move(refresh_);
    for (const std::int64_t id : ids) {
        if (auto entry = labels_.find(id))
            arm(std::move(*entry));
    }
}

} // namespace tacet
