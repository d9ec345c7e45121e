// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent.h"

#include "daemonlink.h"

using namespace Qt::StringLiterals;

namespace Tacet {

Agent::Agent(const DaemonLink *link, QObject *parent) : QObject(parent), m_link(link) {}

// A forged question could make a person allow what another, real one is about.
bool Agent::refuseStranger()
{
    if (!calledFromDBus() || m_link->isFromDaemon(message()))
        return false;
    sendErrorReply(QDBusError::AccessDenied, u"Only the Tacet daemon asks here."_s);
    return true;
}

void Agent::Ask(const QVariantMap &question)
{
    if (!refuseStranger())
        Q_EMIT asked(question);
}

void Agent::Withdraw(qulonglong id, const QString &reason)
{
    if (!refuseStranger())
        Q_EMIT withdrawn(id, reason);
}

} // namespace Tacet
