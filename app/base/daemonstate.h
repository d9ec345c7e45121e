// SPDX-License-Identifier: GPL-3.0-or-later
// All that the app knows of the daemon at one moment; widgets render it and keep nothing else.
#pragma once

#include "memorypolicy.h"
#include "privatesession.h"
#include "question.h"
#include "rule.h"

#include <QList>

namespace Tacet {

enum class Connection { Connecting, Absent, Denied, Mismatch, Ready };

struct Protection
{
    QString name;
    bool enforced = false;
    QString by;
    QString detail;

    static std::optional<Protection> parse(const QVariantMap &map);
    bool operator==(const Protection &) const = default;
};

struct DaemonState
{
    Connection connection = Connection::Connecting;
    QString version;
    quint32 contract = 0;
    ModuleState module = ModuleState::Absent;
    QDateTime pausedUntil; // null: not paused
    bool agentRegistered = false;
    std::optional<ErrorCode> agentRefused; // why the daemon did not register this app as agent, where the contract has a name for it
    QList<Protection> protections;
    QList<Question> questions; // in the order in which the daemon asked
    QList<Rule> rules;
    QList<PrivateSession> sessions;
    QStringList guarded;                // categories whose files are not changed without a question
    std::optional<MemoryPolicy> memory; // nothing: not known yet

    bool isReady() const { return connection == Connection::Ready; }
    bool isPaused() const { return isReady() && pausedUntil.isValid(); }
    const Question *question(quint64 id) const;
    const PrivateSession *session(quint64 id) const;
};

} // namespace Tacet
