// SPDX-License-Identifier: GPL-3.0-or-later
// One entry of the daemon's log: a decision, or something that happened to a label.
#pragma once

#include "codes.h"

#include <QDateTime>
#include <QStringList>
#include <QVariantMap>

#include <optional>

namespace Tacet {

enum class LogKind { Answered, Rule, Missed, Paused, Labelled, Unlabelled, Derived, Tainted, Refused, Lost, Other };

struct LogEntry
{
    quint64 id = 0;
    QDateTime time;
    LogKind kind = LogKind::Other;
    QString kindCode;
    std::optional<Verdict> verdict;
    quint64 rule = 0;
    quint32 pid = 0;
    QString executable;
    QString comm;
    QString file;
    QStringList categories;
    Sink sink = Sink::Network; // of a decision
    QString host;
    quint16 port = 0;
    quint64 length = 0;
    QString reason;

    static std::optional<LogEntry> parse(const QVariantMap &map);

    QString appName() const;
    // Whether somebody or something decided about data that was to leave.
    bool isDecision() const;
    // The labelled file itself was about to change.
    bool isAboutChange() const;
};

} // namespace Tacet
