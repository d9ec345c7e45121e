// SPDX-License-Identifier: GPL-3.0-or-later
#include "service/shadow_service.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "util/journal.h"
#include "util/text.h"

namespace tacet {
namespace {

constexpr auto debounce = std::chrono::seconds(2);

} // namespace

Result<FoundFile> find_entry(const LabelledFile& entry)
{
    auto file = find_file(entry.path);
    if (file && file->identity == entry.identity)
        return file;
    return find_by_handle(entry.handle, entry.path);
}

ShadowService::ShadowService(std::string directory, LabelStore& labels, Surroundings surroundings)
    : directory_(std::move(directory)), labels_(labels), around_(surroundings)
{
    mkdir(directory_.c_str(), 0700);
    sweep();
}

// What a killed daemon left half-made, and shadows of files that are no longer in the index.
void ShadowService::sweep()
{
    std::error_code failure;
    for (const auto& file : std::filesystem::directory_iterator(directory_, failure)) {
        unsigned long long id = 0;
        if (!parse_number(file.path().filename().string(), INT64_MAX, id) || !labels_.find(static_cast<std::int64_t>(id)))
            std::filesystem::remove(file.path(), failure);
    }
}

void ShadowService::request(std::int64_t id)
{
    enqueue(id, around_.clock.boottime());
}

void ShadowService::request_later(std::int64_t id)
{
    enqueue(id, around_.clock.boottime() + debounce);
}

void ShadowService::enqueue(std::int64_t id, BootTime when)
{
    if (due_.size() >= queued_max && !due_.contains(id))
        return;
    // A file that never rests gets its turn at the time first set.
    due_.emplace(id, when);
    run_due();
}

void ShadowService::run_due()
{
    const BootTime now = around_.clock.boottime();
    BootTime next = BootTime::max();
    for (auto item = due_.begin(); item != due_.end() && running_.size() < parallel_max;) {
        const auto [id, when] = *item;
        if (when > now || running_.contains(id)) {
            next = std::min(next, std::max(when, now + BootTime(debounce)));
            ++item;
            continue;
        }
        item = due_.erase(item);
        start(id);
    }
    timer_ = next == BootTime::max() ? nullptr : around_.scheduler.at(next, [this] { run_due(); });
}

bool ShadowService::has_room(std::uint64_t size) const
{
    struct statvfs system{};
    if (statvfs(directory_.c_str(), &system) != 0)
        return false;
    const std::uint64_t left = std::uint64_t{system.f_bavail} * system.f_frsize;
    const std::uint64_t whole = std::uint64_t{system.f_blocks} * system.f_frsize;
    return left > size && left - size > whole / 20;
}

void ShadowService::start(std::int64_t id)
{
    const auto entry = labels_.find(id);
    if (!entry || around_.kernel.state() != ModuleState::Active)
        return;
    auto found = find_entry(*entry);
    if (!found || found->size > size_max || !has_room(found->size))
        return;
    const auto input = around_.kernel.open_file(found->fd.get());
    const UniqueFd output(open((path_of(id) + ".new").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!input || !output)
        return;
    auto before = std::make_shared<FoundFile>(std::move(*found));
    auto started = around_.worker.start(input->get(), output.get(), [this, entry = *entry, before](bool succeeded) {
        const auto ended = running_.extract(entry.id);
        if (succeeded)
            finish(entry, *before);
        else
            std::remove((path_of(entry.id) + ".new").c_str());
        run_due();
    });
    if (!started)
        journal(Priority::Error, "no shadow file: " + started.error().message);
    else
        running_[id] = std::move(*started);
}

void ShadowService::finish(const LabelledFile& entry, const FoundFile& before)
{
    const std::string path = path_of(entry.id);
    const auto now = find_entry(entry);
    const bool changed = now && (now->size != before.size || now->mtime != before.mtime);
    struct stat made{};
    const bool whole = stat((path + ".new").c_str(), &made) == 0 && static_cast<std::uint64_t>(made.st_size) == before.size;
    if (!now || changed || !whole || std::rename((path + ".new").c_str(), path.c_str()) != 0) {
        std::remove((path + ".new").c_str());
        if (changed)
            due_.emplace(entry.id, around_.clock.boottime() + debounce);
        return;
    }
    LabelledFile current = entry;
    current.shadow = true;
    current.shadow_size = before.size;
    current.shadow_mtime = before.mtime;
    const auto file = around_.kernel.open_file(now->fd.get());
    const UniqueFd shadow = open_current(current, *now);
    if (!file || !shadow || !around_.kernel.keep_label(file->get(), shadow.get()))
        return;
    if (auto stored = labels_.set_shadow(current); !stored)
        journal(Priority::Warning, stored.error().message);
    if (on_made)
        on_made(current);
}

void ShadowService::discard(std::int64_t id)
{
    due_.erase(id);
    running_.erase(id);
    std::remove((path_of(id) + ".new").c_str());
    std::remove(path_of(id).c_str());
}

UniqueFd ShadowService::open_current(const LabelledFile& entry, const FoundFile& file) const
{
    if (!entry.shadow || entry.shadow_size != file.size || entry.shadow_mtime != file.mtime)
        return UniqueFd();
    return UniqueFd(open(path_of(entry.id).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
}

} // namespace tacet
