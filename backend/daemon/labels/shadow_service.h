// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps shadow files. It makes them after labelling and after changes, one batch at a time, and hands them to the kernel.
#pragma once

#include <map>
#include <set>

#include "daemon/core/account.h"
#include "daemon/kernel_link/kernel_link.h"
#include "daemon/labels/found_file.h"
#include "daemon/labels/label_store.h"
#include "daemon/labels/scrub_worker.h"
#include "daemon/lookups/lookups.h"

namespace tacet {

class ShadowService {
public:
    struct Surroundings {
        KernelLink& kernel;
        ScrubWorker& worker;
        Lookups& lookups;
        const Clock& clock;
        Scheduler& scheduler;
    };

    // directory has mode 0700, and is made if it is missing.
    ShadowService(std::string directory, LabelStore& labels, Surroundings surroundings);

    void request(std::int64_t id);
    // Asks for a shadow that is missing, unless it is being made.
    void ensure(std::int64_t id);
    // The content changed, and may go on changing.
    void request_later(std::int64_t id);
    void discard(std::int64_t id);
    // Opens the shadow as it is on disk if it fits the file. Otherwise the result is empty.
    UniqueFd open_current(const LabelledFile& entry, const FoundFile& file) const;

    std::function<void(const LabelledFile&)> on_made;
    bool is_idle() const { return due_.empty() && running_.empty(); }

private:
    static constexpr std::size_t queued_max = 100'000;
    // Limits a file, and all files of a batch. Larger files stay with the kernel's own scrubbed view, which says the same. The
    // others have it in the meantime.
    static constexpr std::uint64_t size_max = 64ULL << 20;
    static constexpr std::uint64_t bytes_of_user_max = limit_of(Resource::ShadowBytes);

    // A file whose shadow is being made, with the states from before.
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
    void look_up(const std::vector<std::int64_t>& ids);
    void start(const std::vector<LabelledFile>& entries, std::vector<Finding> findings);
    void prepare(const LabelledFile& sought, Finding finding, std::uint64_t& total);
    void scrub();
    void finish_all();
    bool finish(Work& work);
    bool has_room(const LabelledFile& entry, std::uint64_t size);
    std::string path_of(std::int64_t id) const { return directory_ + "/" + std::to_string(id); }

    std::string directory_;
    LabelStore& labels_;
    Surroundings around_;
    std::map<std::int64_t, BootTime> due_;
    bool is_busy_ = false; // tells that a look-up or the scrubber runs
    std::map<std::int64_t, Work> running_;
    std::unique_ptr<Pending> process_;
    std::unique_ptr<Pending> timer_;
};

// Tells whether more than a twentieth of a file system stays free beside a new file of this size. All are bytes.
bool leaves_room(std::uint64_t left, std::uint64_t whole, std::uint64_t size);

} // namespace tacet
