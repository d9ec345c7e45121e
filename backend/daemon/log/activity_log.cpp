// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/log/activity_log.h"

#include <set>
#include <utility>

#include "common/journal.h"

namespace tacet {
namespace {

constexpr auto notice_interval = std::chrono::minutes(1);
constexpr auto save_delay = std::chrono::milliseconds(100);

std::string_view kind_of(NoticeKind kind)
{
    switch (kind) {
    case NoticeKind::Tainted:
        return "tainted";
    case NoticeKind::Refused:
        return "refused";
    default:
        return "lost";
    }
}

} // namespace

std::optional<uid_t> visible_owner(const Caller& caller)
{
    return caller.is_root() ? std::nullopt : std::optional(caller.uid);
}

ActivityLog::ActivityLog(LogStore& store, Signals& signals, const Clock& clock, Scheduler& scheduler)
    : store_(store), signals_(signals), clock_(clock), scheduler_(scheduler)
{
}

void ActivityLog::record(LogEntry entry)
{
    entry.time = clock_.realtime();
    unsaved_.push_back(std::move(entry));
    if (unsaved_.size() >= unsaved_max)
        save_and_tell();
    else if (save_timer_ == nullptr)
        save_timer_ = scheduler_.at(clock_.boottime() + save_delay, [this] { save_and_tell(); });
}

ActivityLog::~ActivityLog()
{
    save();
}

std::uint64_t ActivityLog::save()
{
    const auto ended = std::move(save_timer_);
    const auto entries = std::exchange(unsaved_, {});
    if (entries.empty())
        return 0;
    const auto id = store_.add(entries);
    if (!id)
        journal(Priority::Error, "decisions could not be logged: " + id.error().message);
    return id ? *id : 0;
}

void ActivityLog::save_and_tell()
{
    std::set<uid_t> owners;
    for (const LogEntry& entry : unsaved_)
        owners.insert(entry.owner);
    const std::uint64_t last = save();
    if (last == 0)
        return;
    for (const uid_t owner : owners)
        signals_.log_added(owner, last);
}

void ActivityLog::record(std::string_view kind, const Question& question, std::string_view verdict, RuleId rule,
                         std::string_view reason)
{
    if (question.in_session)
        return;
    LogEntry entry;
    entry.owner = question.owner;
    entry.kind = kind;
    entry.verdict = verdict;
    entry.rule = rule;
    entry.pid = question.process.pid;
    entry.executable = question.executable;
    entry.comm = question.comm;
    entry.file = question.file;
    entry.categories = question.categories;
    entry.sink = to_string(question.sink);
    if (question.sink != Sink::Marked)
        entry.host = question.sink == Sink::Network ? question.host : question.target;
    entry.port = question.port;
    entry.length = question.length;
    entry.reason = reason;
    if (question.sink == Sink::Marked)
        entry.reason = question.removes ? "removal" : "change";
    record(std::move(entry));
}

void ActivityLog::record(std::string_view kind, const std::vector<LabelledFile>& files)
{
    for (const LabelledFile& file : files) {
        LogEntry entry;
        entry.owner = file.owner;
        entry.kind = kind;
        entry.file = file.path;
        entry.categories = file.categories;
        record(std::move(entry));
    }
}

void ActivityLog::record_notice(const Notice& notice)
{
    const std::string kind(kind_of(notice.kind));
    if (is_repeated(kind + '\0' + std::to_string(notice.uid) + '\0' + notice.comm + '\0' + notice.reason))
        return;
    LogEntry entry;
    entry.owner = notice.uid;
    entry.kind = kind;
    entry.pid = notice.pid;
    entry.comm = notice.comm;
    entry.file = notice.path;
    entry.length = notice.kind == NoticeKind::Lost ? notice.id : 0;
    entry.reason = notice.reason;
    record(std::move(entry));
}

bool ActivityLog::is_repeated(const std::string& key)
{
    const BootTime now = clock_.boottime();
    std::erase_if(last_notices_, [&](const auto& item) { return now - item.second >= notice_interval; });
    if (last_notices_.contains(key))
        return true;
    if (last_notices_.size() < remembered_max)
        last_notices_[key] = now;
    return false;
}

void ActivityLog::list(const Caller& caller, std::uint64_t after, std::uint32_t limit, Reply<std::vector<LogEntry>> reply)
{
    save_and_tell();
    reply(store_.list(visible_owner(caller), after, limit));
}

} // namespace tacet
