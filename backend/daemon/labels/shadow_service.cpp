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

void ShadowService::ensure(std::int64_t id)
{
    if (!running_.contains(id))
        request(id);
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
    while (!is_busy_) {
        const auto ids = take_due();
        if (ids.empty())
            return;
        look_up(ids);
    }
}

void ShadowService::look_up(const std::vector<std::int64_t>& ids)
{
    std::vector<LabelledFile> entries;
    std::vector<SoughtFile> sought;
    for (const std::int64_t id : ids) {
        if (auto entry = labels_.find(id); entry && around_.kernel.state() == ModuleState::Active) {
            sought.push_back({entry->key, entry->path, 0});
            entries.push_back(std::move(*entry));
        }
    }
    if (entries.empty())
        return;
    is_busy_ = true;
    find_files(around_.lookups, own_account, sought,
               [this, entries = std::move(entries)](std::vector<Finding> findings) { start(entries, std::move(findings)); });
}

void ShadowService::start(const std::vector<LabelledFile>& entries, std::vector<Finding> findings)
{
    std::uint64_t total = 0;
    for (std::size_t place = 0; place < entries.size(); ++place)
        prepare(entries[place], std::move(findings[place]), total);
    if (!running_.empty())
        scrub();
    if (!running_.empty())
        return;
    is_busy_ = false;
    run_due();
}

// The copy may take as much as its owner has left, and a part of the disk stays free.
bool ShadowService::has_room(const LabelledFile& entry, std::uint64_t size)
{
    std::uint64_t of_owner = labels_.totals(entry.owner).shadow_bytes + size;
    for (const auto& [id, work] : running_)
        of_owner += account_of(work.entry.owner) == account_of(entry.owner) ? work.file.size : 0;
    if (of_owner > bytes_of_user_max + (entry.shadow ? entry.shadow_size : 0))
        return false;
    struct statvfs system{};
    if (statvfs(directory_.c_str(), &system) != 0)
        return false;
    const std::uint64_t left = std::uint64_t{system.f_bavail} * system.f_frsize;
    const std::uint64_t whole = std::uint64_t{system.f_blocks} * system.f_frsize;
    return leaves_room(left, whole, size);
}

void ShadowService::prepare(const LabelledFile& sought, Finding finding, std::uint64_t& total)
{
    // The look-up took its time, so the entry is read again.
    auto entry = labels_.find(sought.id);
    auto found = describe(std::move(finding));
    if (!entry || !found || found->size > size_max || !has_room(*entry, found->size))
        return;
    if (!running_.empty() && total + found->size > size_max) {
        due_.emplace(entry->id, around_.clock.boottime());
        return;
    }
    auto input = around_.kernel.open_file(found->fd.get());
    UniqueFd output(open((path_of(entry->id) + ".new").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!input || !output)
        return;
    total += found->size;
    const std::int64_t id = entry->id;
    running_.emplace(id, Work{std::move(*entry), std::move(*found), std::move(*input), std::move(output)});
}

void ShadowService::scrub()
{
    std::vector<ScrubFile> files;
    files.reserve(running_.size());
    for (const auto& [id, work] : running_)
        files.push_back({work.input.get(), work.output.get()});
    auto started = around_.worker.start(files, [this](bool) { finish_all(); });
    for (auto& [id, work] : running_)
        work.output = UniqueFd();
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
    is_busy_ = false;
    run_due();
}

// Returns false if there is no shadow, or if it does not fit any more.
bool ShadowService::finish(Work& work)
{
    const std::string path = path_of(work.entry.id);
    const std::uint64_t size = work.file.size;
    const std::int64_t mtime = work.file.mtime;
    if (!refresh(work.file))
        return false;
    if (work.file.size != size || work.file.mtime != mtime) {
        due_.emplace(work.entry.id, around_.clock.boottime() + debounce);
        return false;
    }
    struct stat made{};
    const bool whole = stat((path + ".new").c_str(), &made) == 0 && static_cast<std::uint64_t>(made.st_size) == size;
    if (!whole || std::rename((path + ".new").c_str(), path.c_str()) != 0)
        return false;
    work.entry.shadow = true;
    work.entry.shadow_size = size;
    work.entry.shadow_mtime = mtime;
    const UniqueFd shadow = open_current(work.entry, work.file);
    return shadow && around_.kernel.keep_label(work.input.get(), shadow.get());
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
