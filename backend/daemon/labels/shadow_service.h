// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps shadow files: makes them after labelling and after changes, one batch at a time, and hands them to the kernel.
#pragma once

#include <map>
#include <set>

#include "daemon/kernel_link/kernel_link.h"
#include "daemon/labels/file_access.h"
#include "daemon/labels/label_store.h"
#include "daemon/labels/scrub_worker.h"
#include "daemon/loop/scheduler.h"

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
    static constexpr std::size_t queued_max = 100'000;
    // Larger files, and all of a batch: the kernel's own scrubbed view, which the others have meanwhile, says the same.
    static constexpr std::uint64_t size_max = 64ULL << 20;

    // A file whose shadow is being made, as both were before.
    struct Work {
        LabelledFile entry;
        FoundFile file;
        UniqueFd input;
        UniqueFd output;
    };

    void sweep();
    void enqueue(std::int64_t id, BootTime when);
    void run_due();
    std::vector<std::int64_t> take_due();
    std::optional<Work> prepare(std::int64_t id);
    void start(const std::vector<std::int64_t>& ids);
    void finish_all();
    bool finish(Work& work);
    bool has_room(std::uint64_t size) const;
    std::string path_of(std::int64_t id) const { return directory_ + "/" + std::to_string(id); }

    std::string directory_;
    LabelStore& labels_;
    Surroundings around_;
    std::map<std::int64_t, BootTime> due_;
    std::map<std::int64_t, Work> running_;
    std::unique_ptr<Pending> process_;
    std::unique_ptr<Pending> timer_;
};

// The labelled file where the index has it, else wherever it was moved.
Result<FoundFile> find_entry(const LabelledFile& entry);

} // namespace tacet
