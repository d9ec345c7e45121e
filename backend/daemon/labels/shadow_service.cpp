// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/shadow_service.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "common/journal.h"
#include "common/text.h"

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

bool leaves_room(std::uint64_t left, std::uint64_t whole, std::uint64_t size)
{
    return left - std::min(left, size) > whole / 20;
}

ShadowService::ShadowService(std::string directory, LabelStore& labels, Surroundings surroundings)
    : directory_(std::move(directory)), labels_(labels), around_(surroundings)
{
    mkdir(directory_.c_str(), 0700);
    sweep();
}

// Removes shadows that a killed daemon left half-made, and those of files that are no longer in the index.
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
    // A file that never rests gets its turn at the time that was set first.
    due_.emplace(id, when);
    run_due();
}

std::vector<std::int64_t> ShadowService::take_due()
{
    const BootTime now = around_.clock.boottime();
    BootTime next = BootTime::max();
    std::vector<std::int64_t> ids;
    for (auto item = due_.begin(); item != due_.end() && ids.size() < ScrubWorker::files_max;) {
        const auto [id, when] = *item;
        if (when > now) {
            next = std::min(next, when);
            ++item;
            continue;
        }
        ids.push_back(id);
        item = due_.erase(item);
    }
    timer_ = next == BootTime::max() ? nullptr : around_.scheduler.at(next, [this] { run_due(); });
    return ids;
}

void ShadowService::run_due()
{
    while (process_ == nullptr) {
        const auto ids = take_due();
        if (ids.empty())
            return;
        start(ids);
    }
}

bool ShadowService::has_room(std::uint64_t size) const
{
    struct statvfs system{};
    if (statvfs(directory_.c_str(), &system) != 0)
        return false;
    const std::uint64_t left = std::uint64_t{system.f_bavail} * system.f_frsize;
    const std::uint64_t whole = std::uint64_t{system.f_blocks} * system.f_frsize;
    return leaves_room(left, whole, size);
}

std::optional<ShadowService::Work> ShadowService::prepare(std::int64_t id)
{
    auto entry = labels_.find(id);
    if (!entry || around_.kernel.state() != ModuleState::Active)
        return std::nullopt;
    auto found = find_entry(*entry);
    if (!found || found->size > size_max || !has_room(found->size))
        return std::nullopt;
    auto input = around_.kernel.open_file(found->fd.get());
    UniqueFd output(open((path_of(id) + ".new").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!input || !output)
        return std::nullopt;
    return Work{std::move(*entry), std::move(*found), std::move(*input), std::move(output)};
}

void ShadowService::start(const std::vector<std::int64_t>& ids)
{
    std::vector<ScrubFile> files;
    std::uint64_t size = 0;
    for (const std::int64_t id : ids) {
        auto work = prepare(id);
        if (!work)
            continue;
        if (!files.empty() && size + work->file.size > size_max) {
            due_.emplace(id, around_.clock.boottime());
            continue;
        }
        size += work->file.size;
        files.push_back({work->input.get(), work->output.get()});
        running_.emplace(id, std::move(*work));
    }
    if (files.empty())
        return;
    auto started = around_.worker.start(files, [this](bool) { finish_all(); });
    for (auto& [id, work] : running_) {
        work.input = UniqueFd();
        work.output = UniqueFd();
    }
    if (started) {
        process_ = std::move(*started);
        return;
    }
    journal(Priority::Error, "no shadow files: " + started.error().message);
    for (const auto& [id, work] : running_)
        std::remove((path_of(id) + ".new").c_str());
    running_.clear();
}

void ShadowService::finish_all()
{
    const auto ended = std::move(process_);
    auto works = std::exchange(running_, {});
    std::vector<LabelledFile> made;
    for (auto& [id, work] : works) {
        if (finish(work))
            made.push_back(work.entry);
        else
            std::remove((path_of(id) + ".new").c_str());
    }
    if (auto stored = labels_.set_shadows(made); !stored)
        journal(Priority::Warning, stored.error().message);
    for (const LabelledFile& entry : made)
        on_made(entry);
    run_due();
}

// Returns false if there is no shadow, or if it does not fit any more.
bool ShadowService::finish(Work& work)
{
    const std::string path = path_of(work.entry.id);
    const auto now = find_entry(work.entry);
    if (now && (now->size != work.file.size || now->mtime != work.file.mtime)) {
        due_.emplace(work.entry.id, around_.clock.boottime() + debounce);
        return false;
    }
    struct stat made{};
    const bool whole = stat((path + ".new").c_str(), &made) == 0 && static_cast<std::uint64_t>(made.st_size) == work.file.size;
    if (!now || !whole || std::rename((path + ".new").c_str(), path.c_str()) != 0)
        return false;
    work.entry.shadow = true;
    work.entry.shadow_size = work.file.size;
    work.entry.shadow_mtime = work.file.mtime;
    const auto file = around_.kernel.open_file(now->fd.get());
    const UniqueFd shadow = open_current(work.entry, *now);
    return file && shadow && around_.kernel.keep_label(file->get(), shadow.get());
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
