// SPDX-License-Identifier: GPL-3.0-or-later
// Adds and removes labels: first on the inode, then in the index, some files in each turn. Each file is either wholly done or
// not at all. It also keeps the categories whose files are guarded.
#pragma once

#include <list>

#include "daemon/bus/gate.h"
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
    static constexpr std::size_t jobs_max = 64;
    static constexpr std::size_t jobs_max_of_user = 16;

    struct Surroundings {
        KernelLink& kernel;
        Gate& gate;
        Signals& signals;
        const Clock& clock;
        Scheduler& scheduler;
    };

    LabelService(Database& database, LabelStore& labels, ShadowService& shadows, ActivityLog& log, Surroundings surroundings);

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
    bool step(const JobPointer& job);
    Result<void> run_batch(Job& job, std::vector<Done>& ret_done);
    void fail_batch(Job& job, std::vector<Done>& done, const Error& error);
    void announce(Job& job, const std::vector<Done>& done);
    void finish_pass(const JobPointer& job);
    void reply_to(Job& job);

    Result<Done> add_one(const Job& job, const std::string& path);
    Result<Done> remove_one(const Job& job, const std::string& path);
    Result<Done> remove_missing(const Job& job, const std::string& path);
    Result<FoundFile> find_for(const Job& job, const std::string& path) const;
    Result<void> store(const Category& category, const FoundFile& file, LabelledFile& entry);
    Result<void> drop_stale_path(const FoundFile& file);
    Result<std::vector<std::string>> guarded_of(uid_t owner);
    Result<void> store_and_apply(uid_t owner, const std::vector<std::string>& kinds);
    Result<void> store_guard(uid_t owner, const std::vector<std::string>& kinds);

    Database& database_;
    LabelStore& labels_;
    ShadowService& shadows_;
    ActivityLog& log_;
    Surroundings around_;
    std::list<JobPointer> jobs_;
};

} // namespace tacet
