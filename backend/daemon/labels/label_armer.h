// SPDX-License-Identifier: GPL-3.0-or-later
// Brings the index and the kernel together. Every labelled file gets its mark, renamed files are found again, and lost ones
// are flagged.
#pragma once

#include <set>

#include "daemon/labels/shadow_service.h"
#include "daemon/log/activity_log.h"

namespace tacet {

class LabelArmer {
public:
    struct Surroundings {
        KernelLink& kernel;
        Signals& signals;
        const Clock& clock;
        Scheduler& scheduler;
    };

    LabelArmer(Database& database, LabelStore& labels, ShadowService& shadows, ActivityLog& log, Surroundings surroundings);

    // Runs at the start of the boot, and returns when all labels are in force.
    void arm_all();
    // Runs later, with some files in each turn of the loop.
    void arm_in_background();
    // Takes in files of an index that was lost, as far as their inodes carry a label.
    void adopt(const std::vector<std::string>& paths);

    void on_labelled(const Notice& notice);
    void on_stale(const Notice& notice);

private:
    static constexpr unsigned batch = 64;
    static constexpr std::uint32_t derived_max = 100'000;

    bool arm_batch();
    void arm(LabelledFile entry);
    bool keep(LabelledFile& entry, const FoundFile& file);
    Result<std::int64_t> put(const LabelledFile& entry);
    Result<void> move(const LabelledFile& entry);
    void mark_lost(const LabelledFile& entry);
    void refresh_soon(std::int64_t id);
    void refresh_all();

    Database& database_;
    LabelStore& labels_;
    ShadowService& shadows_;
    ActivityLog& log_;
    Surroundings around_;
    std::int64_t position_ = 0;
    std::set<std::int64_t> to_refresh_;
    std::unique_ptr<Pending> background_;
    std::unique_ptr<Pending> refresh_;
};

} // namespace tacet
