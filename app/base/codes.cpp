// SPDX-License-Identifier: GPL-3.0-or-later
#include "codes.h"

#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

template<typename Enumeration>
using Entry = std::pair<Enumeration, QLatin1StringView>;

constexpr std::array verdicts{
    Entry<Verdict>{Verdict::Block, "block"_L1},
    Entry<Verdict>{Verdict::Allow, "allow"_L1},
    Entry<Verdict>{Verdict::Scrub, "scrub"_L1},
    Entry<Verdict>{Verdict::Takeover, "takeover"_L1},
    Entry<Verdict>{Verdict::Quit, "quit"_L1},
};

constexpr std::array durations{
    Entry<Duration>{Duration::Once, "once"_L1},
    Entry<Duration>{Duration::Process, "process"_L1},
    Entry<Duration>{Duration::Minutes15, "15min"_L1},
    Entry<Duration>{Duration::Hour, "1h"_L1},
    Entry<Duration>{Duration::Reboot, "reboot"_L1},
    Entry<Duration>{Duration::Always, "always"_L1},
};

constexpr std::array subjectKinds{
    Entry<SubjectKind>{SubjectKind::File, "file"_L1},
    Entry<SubjectKind>{SubjectKind::Label, "label"_L1},
    Entry<SubjectKind>{SubjectKind::Folder, "folder"_L1},
    Entry<SubjectKind>{SubjectKind::Any, "any"_L1},
};

constexpr std::array moduleStates{
    Entry<ModuleState>{ModuleState::Absent, "absent"_L1},
    Entry<ModuleState>{ModuleState::Active, "active"_L1},
    Entry<ModuleState>{ModuleState::Mismatch, "mismatch"_L1},
    Entry<ModuleState>{ModuleState::Busy, "busy"_L1},
};

constexpr std::array withdrawReasons{
    Entry<WithdrawReason>{WithdrawReason::Answered, "answered"_L1},
    Entry<WithdrawReason>{WithdrawReason::Rule, "rule"_L1},
    Entry<WithdrawReason>{WithdrawReason::Expired, "expired"_L1},
    Entry<WithdrawReason>{WithdrawReason::Gone, "gone"_L1},
};

constexpr std::array sessionStates{
    Entry<SessionState>{SessionState::Starting, "starting"_L1},
    Entry<SessionState>{SessionState::Running, "running"_L1},
    Entry<SessionState>{SessionState::Waiting, "waiting"_L1},
    Entry<SessionState>{SessionState::Ending, "ending"_L1},
};

constexpr std::array changeTypes{
    Entry<ChangeType>{ChangeType::Created, "created"_L1},
    Entry<ChangeType>{ChangeType::Changed, "changed"_L1},
    Entry<ChangeType>{ChangeType::Deleted, "deleted"_L1},
};

constexpr std::array changeKinds{
    Entry<ChangeKind>{ChangeKind::File, "file"_L1},
    Entry<ChangeKind>{ChangeKind::Directory, "directory"_L1},
    Entry<ChangeKind>{ChangeKind::Link, "link"_L1},
    Entry<ChangeKind>{ChangeKind::Other, "other"_L1},
};

template<typename Table, typename Enumeration>
QString codeIn(const Table &table, Enumeration value)
{
    for (const auto &[entry, code] : table) {
        if (entry == value)
            return code;
    }
    Q_UNREACHABLE_RETURN(QString());
}

template<typename Enumeration, std::size_t size>
std::optional<Enumeration> valueIn(const std::array<Entry<Enumeration>, size> &table, const QString &code)
{
    for (const auto &[value, entry] : table) {
        if (entry == code)
            return value;
    }
    return std::nullopt;
}

} // namespace

QString codeOf(Verdict verdict) { return codeIn(verdicts, verdict); }
QString codeOf(Duration duration) { return codeIn(durations, duration); }
QString codeOf(SubjectKind kind) { return codeIn(subjectKinds, kind); }
QString codeOf(ModuleState module) { return codeIn(moduleStates, module); }

std::optional<Verdict> verdictOf(const QString &code) { return valueIn(verdicts, code); }
std::optional<Duration> durationOf(const QString &code) { return valueIn(durations, code); }
std::optional<SubjectKind> subjectKindOf(const QString &code) { return valueIn(subjectKinds, code); }
std::optional<ModuleState> moduleStateOf(const QString &code) { return valueIn(moduleStates, code); }
std::optional<WithdrawReason> withdrawReasonOf(const QString &code) { return valueIn(withdrawReasons, code); }
std::optional<SessionState> sessionStateOf(const QString &code) { return valueIn(sessionStates, code); }
std::optional<ChangeType> changeTypeOf(const QString &code) { return valueIn(changeTypes, code); }
std::optional<ChangeKind> changeKindOf(const QString &code) { return valueIn(changeKinds, code); }

} // namespace Tacet
