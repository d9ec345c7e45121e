// SPDX-License-Identifier: GPL-3.0-or-later
// The code words of the D-Bus contract as enumerations.
#pragma once

#include <QString>

#include <optional>

namespace Tacet {

// Takeover: the program goes on with the scrubbed copy.
enum class Verdict { Block, Allow, Scrub, Takeover, Quit };
enum class Duration { Once, Process, Minutes15, Hour, Reboot, Always };
enum class SubjectKind { File, Label, Folder, Any };
enum class ModuleState { Absent, Active, Mismatch, Busy };
enum class WithdrawReason { Answered, Rule, Expired, Gone };
// Waiting: its programs have ended, and what they wrote waits for Keep or End.
enum class SessionState { Starting, Running, Waiting, Ending };
enum class ChangeType { Created, Changed, Deleted };
enum class ChangeKind { File, Directory, Link, Other };

QString codeOf(Verdict verdict);
QString codeOf(Duration duration);
QString codeOf(SubjectKind kind);
QString codeOf(ModuleState module);

std::optional<Verdict> verdictOf(const QString &code);
std::optional<Duration> durationOf(const QString &code);
std::optional<SubjectKind> subjectKindOf(const QString &code);
std::optional<ModuleState> moduleStateOf(const QString &code);
std::optional<WithdrawReason> withdrawReasonOf(const QString &code);
std::optional<SessionState> sessionStateOf(const QString &code);
std::optional<ChangeType> changeTypeOf(const QString &code);
std::optional<ChangeKind> changeKindOf(const QString &code);

} // namespace Tacet
