// SPDX-License-Identifier: GPL-3.0-or-later
// A disclosure rule: what it applies to, what it decides and how long it holds.
#pragma once

#include "codes.h"

#include <QDateTime>
#include <QVariantMap>

#include <optional>

namespace Tacet {

// The scope of a rule; empty texts and port 0 mean "any".
struct RuleScope
{
    SubjectKind subjectKind = SubjectKind::Any;
    QString subject;
    QString executable;
    QString host;
    quint16 port = 0;
    // What kind of destination the rule is about. Network: host is a name or an address. File and Device: host is a path.
    // Other and Marked (the labelled file itself would change) have neither host nor port.
    Sink sink = Sink::Network;

    bool isChange() const { return sink == Sink::Marked; }
    QVariantMap toMap() const;
    bool operator==(const RuleScope &) const = default;
};

// A rule that does not exist yet.
struct RuleDraft
{
    // Takeover: the program goes on with the scrubbed copy.
    Verdict verdict = Verdict::Block;
    Duration duration = Duration::Always;
    RuleScope scope;

    QVariantMap toMap() const;
    bool operator==(const RuleDraft &) const = default;
};

struct Rule
{
    quint64 id = 0;
    quint32 uid = 0;
    RuleDraft draft;
    quint32 pid = 0;
    QDateTime expires; // null: never
    QDateTime created;
    quint64 hits = 0;

    static std::optional<Rule> parse(const QVariantMap &map);
    bool operator==(const Rule &) const = default;
};

} // namespace Tacet
