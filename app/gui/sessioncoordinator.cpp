// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessioncoordinator.h"

#include "base/untrusted.h"
#include "gui/sessions/keepdialog.h"
#include "gui/sessions/launcherdialog.h"
#include "gui/sessions/panicshortcut.h"
#include "gui/sessions/sessionspage.h"
#include "gui/tray/trayactions.h"
#include "gui/window/mainwindow.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace Tacet {

SessionCoordinator::SessionCoordinator(DaemonClient *client, MainWindow *window, TrayActions *actions, const QDBusConnection &sessionBus,
                                       QObject *parent)
    : QObject(parent), m_client(client), m_window(window), m_actions(actions), m_shortcut(PanicShortcut::make(sessionBus, this))
{
    connectPage();
    connectMenu();
    connectShortcut();
    connect(m_client, &DaemonClient::stateChanged, this, &SessionCoordinator::onState);
    connect(m_client, &DaemonClient::changesListed, this, &SessionCoordinator::onChanges);
    connect(m_client, &DaemonClient::changesNotListed, this, [this](quint64 id) {
        if (m_unseen.remove(id))
            keepFiles(id);
    });
    connect(&m_starter, &PrivateStarter::notStarted, this, &SessionCoordinator::onNotStarted);
}

void SessionCoordinator::connectPage()
{
    const SessionsPage *page = m_window->sessions();
    connect(page, &SessionsPage::runRequested, this, &SessionCoordinator::openLauncher);
    connect(page, &SessionsPage::keepRequested, this, &SessionCoordinator::keepFiles);
    connect(page, &SessionsPage::endRequested, this, &SessionCoordinator::end);
    connect(page, &SessionsPage::endAllRequested, this, &SessionCoordinator::panic);
    connect(page, &SessionsPage::refreshRequested, m_client, &DaemonClient::refreshSessions);
}

void SessionCoordinator::connectMenu()
{
    connect(m_actions, &TrayActions::runRequested, this, &SessionCoordinator::openLauncher);
    connect(m_actions, &TrayActions::keepRequested, this, &SessionCoordinator::keepFiles);
    connect(m_actions, &TrayActions::endRequested, this, &SessionCoordinator::end);
    connect(m_actions, &TrayActions::panicRequested, this, &SessionCoordinator::panic);
}

void SessionCoordinator::connectShortcut()
{
    const auto show = [this] { m_actions->setShortcut(m_shortcut->name(), m_shortcut->state()); };
    connect(m_shortcut, &PanicShortcut::changed, m_actions, show);
    connect(m_shortcut, &PanicShortcut::pressed, this, &SessionCoordinator::panic);
    show();
}

void SessionCoordinator::panic()
{
    m_starter.expectEnd();
    m_client->endAllSessions();
}

void SessionCoordinator::end(quint64 id)
{
    m_starter.expectEnd();
    m_client->endSession(id);
}

void SessionCoordinator::openLauncher()
{
    if (!m_launcher) {
        m_launcher = new LauncherDialog(installedPrograms());
        m_launcher->setAttribute(Qt::WA_DeleteOnClose);
        m_launcher->setUsable(m_client->state().isReady());
        connect(m_launcher, &LauncherDialog::chosen, &m_starter, &PrivateStarter::start);
        connect(m_launcher, &LauncherDialog::filesChosen, this, &SessionCoordinator::openFiles);
        connect(m_client, &DaemonClient::boxesListed, m_launcher, &LauncherDialog::setBoxes);
        m_client->listBoxes();
    }
    m_launcher->show();
    m_launcher->raise();
    m_launcher->activateWindow();
}

void SessionCoordinator::openFiles(const QStringList &files, const PrivateOptions &options)
{
    QStringList problems;
    const QList<PrivateCommand> commands = PrivateCommands::ofFiles(files, &problems);
    for (const PrivateCommand &command : commands)
        m_starter.start(command, options);
    if (!problems.isEmpty())
        m_window->showMessage(tr("%n file(s) could not be opened privately.", nullptr, int(problems.size())),
                              problems.first(qMin(problems.size(), 10)).join(u'\n'));
}

void SessionCoordinator::onNotStarted(const QString &name, const QString &why)
{
    m_window->showMessage(tr("%1 could not be started privately.").arg(shown(name)), why);
}

void SessionCoordinator::keepFiles(quint64 id)
{
    const bool isNew = m_dialogs.value(id).isNull();
    KeepDialog *dialog = dialogOf(id);
    if (!dialog)
        return;
    if (isNew)
        m_client->listChanges(id);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

// Null: there is no such session any more.
KeepDialog *SessionCoordinator::dialogOf(quint64 id)
{
    if (KeepDialog *open = m_dialogs.value(id))
        return open;
    const PrivateSession *session = m_client->state().session(id);
    if (!session)
        return nullptr;
    auto *dialog = new KeepDialog(*session);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &KeepDialog::endRequested, this, &SessionCoordinator::end);
    connect(dialog, &KeepDialog::copyWanted, m_client, &DaemonClient::copyFile);
    connect(m_client, &DaemonClient::changesListed, dialog, &KeepDialog::takeChanges);
    connect(m_client, &DaemonClient::changesNotListed, dialog, &KeepDialog::changesFailed);
    connect(m_client, &DaemonClient::fileCopied, dialog, &KeepDialog::onCopied);
    connect(m_client, &DaemonClient::fileNotCopied, dialog, &KeepDialog::onNotCopied);
    m_dialogs.insert(id, dialog);
    return dialog;
}

void SessionCoordinator::onState(const DaemonState &state)
{
    if (m_launcher)
        m_launcher->setUsable(state.isReady());
    m_dialogs.removeIf([](auto entry) { return entry.value().isNull(); });
    for (const auto &[id, dialog] : m_dialogs.asKeyValueRange()) {
        if (const PrivateSession *session = state.session(id))
            dialog->setSession(*session);
        else
            dialog->sessionGone(state.isReady() ? tr("The private session is over, and what it wrote is gone.")
                                                : tr("The Tacet daemon is not running."));
    }
    attendWaiting(state);
    attendFull(state);
}

void SessionCoordinator::attendFull(const DaemonState &state)
{
    const QSet<quint64> known = std::exchange(m_full, {});
    for (const PrivateSession &session : state.sessions) {
        if (!session.isFull)
            continue;
        m_full.insert(session.id);
        if (!known.contains(session.id))
            Q_EMIT storeFull();
    }
}

// Asks for its changes first: if there is nothing to keep, nobody is bothered.
void SessionCoordinator::attendWaiting(const DaemonState &state)
{
    for (const PrivateSession &session : state.sessions) {
        if (session.state != SessionState::Waiting || m_attended.contains(session.id))
            continue;
        m_attended.insert(session.id);
        if (m_dialogs.contains(session.id))
            continue;
        m_unseen.insert(session.id);
        m_client->listChanges(session.id);
    }
    const auto isGone = [&state](quint64 id) { return !state.session(id); };
    m_attended.removeIf(isGone);
    m_unseen.removeIf(isGone);
}

void SessionCoordinator::onChanges(quint64 id, const QList<SessionChange> &changes)
{
    if (!m_unseen.remove(id))
        return;
    if (changes.isEmpty()) {
        m_client->endSession(id);
        return;
    }
    KeepDialog *dialog = dialogOf(id);
    if (!dialog)
        return;
    dialog->takeChanges(id, changes);
    // The person may be typing somewhere.
    dialog->setAttribute(Qt::WA_ShowWithoutActivating);
    dialog->show();
}

} // namespace Tacet
