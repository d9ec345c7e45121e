// SPDX-License-Identifier: GPL-3.0-or-later
// Adds and removes labels, some files in each turn. Each file is either wholly done or not at all. It also keeps the categories
// whose files are guarded.
#pragma once

#include "daemon/bus/gate.h"
#include "daemon/labels/label_index.h"
#include "daemon/labels/shadow_service.h"
#include "daemon/log/activity_log.h"
#include "daemon/store/database.h"

namespace tacet {

struct PathFailure {
    std::string path;
    Error error;
};

struct FilePage {
    std::vector<LabelledFile> files;
    std::uint32_t total = 0;
};

class LabelService final {
public:
    static constexpr std::size_t paths_max = 10'000;

    struct Surroundings {
        KernelLink& kernel;
        Lookups& lookups;
        Gate& gate;
        Signals& signals;
        Scheduler& scheduler;
    };

    LabelService(Database& database, LabelStore& labels, LabelIndex& index, ShadowService& shadows, ActivityLog& log,
                 Surroundings surroundings);

    void add(const Caller& caller, std::vector<std::string> paths, std::string category, Reply<std::vector<PathFailure>> reply);
    void remove(const Caller& caller, std::vector<std::string> paths, Reply<std::vector<PathFailure>> reply);
    void show(const Caller& caller, const std::string& path, Reply<LabelledFile> reply);
    void list(const Caller& caller, std::uint32_t offset, std::uint32_t limit, Reply<FilePage> reply);
    void guard(const Caller& caller, const std::vector<std::string>& kinds, Reply<void> reply);
    void guarded(const Caller& caller, Reply<std::vector<std::string>> reply);

    // Tells the kernel what is guarded.
    Result<void> apply_guard();

private:
    struct Job;
    struct Done;
    using JobPointer = std::shared_ptr<Job>;

    void begin(JobPointer job);
    void look_up(const JobPointer& job);
    // If a path leads to no file any more, its entries are looked at before one of them is forgotten.
    void settle_lost(const JobPointer& job, const std::vector<std::string>& paths, std::vector<Finding> findings);
    void look_at_lost(const JobPointer& job, const std::vector<std::string>& paths, std::vector<LabelledFile> entries);
    void run(const JobPointer& job, const std::vector<std::string>& paths, std::vector<Finding> findings);
    void change_all(Job& job, const std::vector<std::string>& paths, std::vector<Finding> findings, std::vector<Done>& ret_done);
    Result<std::vector<LabelIndex::Change>> change(const Job& job, const std::string& path, Finding finding);
    void announce(Job& job, const std::vector<Done>& done);
    void finish_pass(const JobPointer& job);
    void end(const JobPointer& job);

    void show_found(const Caller& caller, const std::string& path, Finding finding, const Reply<LabelledFile>& reply);
    Result<std::vector<std::string>> guarded_of(uid_t owner);
    Result<void> store_and_apply(uid_t owner, const std::vector<std::string>& kinds);
    Result<void> store_guard(uid_t owner, const std::vector<std::string>& kinds);

    Database& database_;
    LabelStore& labels_;
    LabelIndex& index_;
    ShadowService& shadows_;
    ActivityLog& log_;
    Surroundings around_;
};

} // namespace tacet
