// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps shadow files: makes them after labelling and after changes, a few at a time, and hands them to the kernel.
#pragma once

#include <map>
#include <set>

#include "kernel_link/kernel_link.h"
#include "labels/file_access.h"
#include "labels/scrub_worker.h"
#include "store/label_store.h"
#include "util/scheduler.h"

namespace tacet {

class ShadowService {
public:
    struct Surroundings {
        KernelLink& kernel;
        ScrubWorker& worker;
        const Clock& clock;
        Scheduler& scheduler;
    };

    // directory: mode 0700, made when missing.
    ShadowService(std::string directory, LabelStore& labels, Surroundings surroundings);

    void request(std::int64_t id);
    // The content changed, and may go on changing.
    void request_later(std::int64_t id);
    void discard(std::int64_t id);
    // The shadow as it lies there, when it fits the file; else no fd.
    UniqueFd open_current(const LabelledFile& entry, const FoundFile& file) const;

    std::function<void(const LabelledFile&)> on_made;
    bool is_idle() const { return due_.empty() && running_.empty(); }

private:
    static constexpr std::size_t parallel_max = 2;
    static constexpr std::size_t queued_max = 100'000;
    // Larger files get the kernel's own scrubbed view, which says the same.
    static constexpr std::uint64_t size_max = 64ULL << 20;

    void sweep();
    void enqueue(std::int64_t id, BootTime when);
    void run_due();
    void start(std::int64_t id);
    void finish(const LabelledFile& entry, const FoundFile& before);
    bool has_room(std::uint64_t size) const;
    std::string path_of(std::int64_t id) const { return directory_ + "/" + std::to_string(id); }

    std::string directory_;
    LabelStore& labels_;
    Surroundings around_;
    std::map<std::int64_t, BootTime> due_;
    std::map<std::int64_t, std::unique_ptr<Pending>> running_;
    std::unique_ptr<Pending> timer_;
};

// The labelled file where the index has it, else wherever it was moved.
Result<FoundFile> find_entry(const LabelledFile& entry);

} // namespace tacet
