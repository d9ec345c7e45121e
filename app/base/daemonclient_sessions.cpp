// SPDX-License-Identifier: GPL-3.0-or-later
// The part of DaemonClient that is about private sessions.
#include "daemonclient.h"

#include "dbuslists.h"

#include <QDBusUnixFileDescriptor>

#include <utility>

using namespace Qt::StringLiterals;

namespace Tacet {

// One list at a time, as the questions.
void DaemonClient::refreshSessions()
{
    if (!m_state.isReady())
        return;
    if (m_sessionsRequested) {
        m_sessionsOutdated = true;
        return;
    }
    m_sessionsRequested = true;
    m_sessionsOutdated = false;
    m_link.call(
        {.interface = u"Sessions"_s, .method = u"List"_s, .answer = u"aa{sv}"_s},
        [this](const QVariantList &arguments) {
            m_sessionsRequested = false;
            if (m_sessionsOutdated) {
                refreshSessions();
                return;
            }
            const auto listed = parseList<PrivateSession>(arguments.first());
            if (std::exchange(m_state.sessions, listed) != listed)
                Q_EMIT stateChanged(m_state);
        },
        [this](const DaemonError &error) {
            m_sessionsRequested = false;
            qCWarning(logClient) << "private sessions:" << error.name << error.message;
        });
}

void DaemonClient::endSession(quint64 id)
{
    m_link.call(
        {.interface = u"Sessions"_s, .method = u"End"_s, .arguments = {id}},
        [this](const QVariantList &) { refreshSessions(); },
        [this](const DaemonError &error) {
            refreshSessions();
            // Gone already is what was asked for.
            if (error.name != "org.tacet.Error.NoSuchSession"_L1)
                Q_EMIT failed(Operation::EndSession, error);
        });
}

void DaemonClient::endAllSessions()
{
    m_link.call(
        {.interface = u"Sessions"_s, .method = u"EndAll"_s}, [this](const QVariantList &) { refreshSessions(); },
        failure(Operation::EndSession));
}

void DaemonClient::listChanges(quint64 id)
{
    m_link.call(
        {.interface = u"Sessions"_s, .method = u"Files"_s, .arguments = {id}, .answer = u"aa{sv}"_s, .mayTakeLong = true},
        [this, id](const QVariantList &arguments) { Q_EMIT changesListed(id, parseList<SessionChange>(arguments.first())); },
        [this, id](const DaemonError &error) { Q_EMIT changesNotListed(id, error); });
}

void DaemonClient::copyFile(quint64 id, const QByteArray &path, int file)
{
    m_link.call(
        {.interface = u"Sessions"_s,
         .method = u"Keep"_s,
         .arguments = {id, path, QVariant::fromValue(QDBusUnixFileDescriptor(file))},
         .mayTakeLong = true},
        [this, id, path](const QVariantList &) { Q_EMIT fileCopied(id, path); },
        [this, id, path](const DaemonError &error) { Q_EMIT fileNotCopied(id, path, error); });
}

} // namespace Tacet
