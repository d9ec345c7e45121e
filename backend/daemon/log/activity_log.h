// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the log and tells those who listen. Decisions come in crowds, so those of one moment are one transaction.
#pragma once

#include <map>

#include "common/clock.h"
#include "daemon/core/entry.h"
#include "daemon/core/ports.h"
#include "daemon/kernel_link/kernel_link.h"
#include "daemon/log/log_store.h"
#include "daemon/loop/scheduler.h"

namespace tacet {

class ActivityLog final {
public:
    ActivityLog(LogStore& store, Signals& signals, const Clock& clock, Scheduler& scheduler);
    // Saves everything that is not saved yet. Nobody is told any more.
    ~ActivityLog();
    ActivityLog(const ActivityLog&) = delete;
    ActivityLog& operator=(const ActivityLog&) = delete;

    void record(LogEntry entry);
    // Records nothing if the question came from a private session.
    void record(std::string_view kind, const Question& question, std::string_view verdict, RuleId rule, std::string_view reason);
    void record(std::string_view kind, const std::vector<LabelledFile>& files);
    // Records tainted, refused and lost. The same notice from the same program is recorded at most once a minute.
    void record_notice(const Notice& notice);

    void list(const Caller& caller, std::uint64_t after, std::uint32_t limit, Reply<std::vector<LogEntry>> reply);

private:
    static constexpr std::size_t remembered_max = 1024;
    static constexpr std::size_t unsaved_max = 1024;

    void save_and_tell();
    // Returns the id of the last entry. 0 means that there was nothing to save, or that it failed.
    std::uint64_t save();
    bool is_repeated(const std::string& key);

    LogStore& store_;
    Signals& signals_;
    const Clock& clock_;
    Scheduler& scheduler_;
    std::vector<LogEntry> unsaved_;
    std::unique_ptr<Pending> save_timer_;
    std::map<std::string, BootTime> last_notices_;
};

// Returns nothing for root, who sees everybody's, and the caller's own id for others.
std::optional<uid_t> visible_owner(const Caller& caller);

} // namespace tacet
