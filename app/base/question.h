// SPDX-License-Identifier: GPL-3.0-or-later
// An open question of the daemon: who is about to send what where. And the person's answer to it.
#pragma once

#include "rule.h"

#include <QByteArray>
#include <QStringList>

namespace Tacet {

struct Question
{
    quint64 id = 0;
    QDateTime time;
    quint64 expires = 0; // CLOCK_BOOTTIME, microseconds
    quint32 pid = 0;
    QString executable;
    QStringList command;
    QString comm;
    QString parent;
    QString file;
    QStringList chain; // programs that the data came through, the one that read the file first
    QStringList categories;
    Sink sink = Sink::Network;
    QString address;
    QString host;
    quint16 port = 0;
    QString protocol;
    QString target;
    bool tainted = false;
    bool canTakeOver = false; // the doppelganger could take the program's place
    bool removes = false;     // isChange(): the file would be removed or replaced
    bool inSession = false;   // of a private one: no answer may outlive it
    quint64 length = 0;
    quint64 scrubbedLength = 0;
    QByteArray preview;
    QByteArray scrubbedPreview;
    quint64 callsEqual = 0;
    quint64 callsTotal = 0;
    quint64 callsRealigned = 0;
    bool binaryChanged = false;

    static std::optional<Question> parse(const QVariantMap &map);

    // The program's own name in /proc can be changed by it; the file name of the executable cannot.
    QString appName() const;
    // Two questions that one answer may settle: the same program sends to the same place.
    bool isSimilarTo(const Question &other) const;
    // Nothing is sent: the labelled file itself is about to change.
    bool isChange() const { return sink == Sink::Marked; }
    // Without a doppelganger there is nothing scrubbed to send.
    bool canSendScrubbed() const { return !tainted && !isChange(); }

    bool operator==(const Question &) const = default;
};

struct Answer
{
    Verdict verdict = Verdict::Block;
    Duration duration = Duration::Once;
    RuleScope scope; // ignored for Duration::Once

    bool makesRule() const { return duration != Duration::Once; }
    bool operator==(const Answer &) const = default;
};

} // namespace Tacet
