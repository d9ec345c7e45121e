// SPDX-License-Identifier: GPL-3.0-or-later
// Private sessions between the daemon, the windows about them, the tray and the panic key.
#pragma once

#include "base/daemonclient.h"
#include "base/privatestart.h"

#include <QHash>
#include <QPointer>
#include <QSet>

namespace Tacet {

class KeepDialog;
class LauncherDialog;
class MainWindow;
class PanicShortcut;
class TrayActions;

class SessionCoordinator : public QObject
{
    Q_OBJECT

public:
    SessionCoordinator(DaemonClient *client, MainWindow *window, TrayActions *actions, const QDBusConnection &sessionBus,
                       QObject *parent = nullptr);

    void openLauncher();
    // "Open privately": documents, programs, desktop entries.
    void openFiles(const QStringList &files, const PrivateOptions &options = {});
    void keepFiles(quint64 id);
    // Every session ends at once; nobody is asked.
    void panic();
    void end(quint64 id);

Q_SIGNALS:
    // A session has no room left: its programs cannot write any more.
    void storeFull();

private:
    void connectPage();
    void connectMenu();
    void connectShortcut();
    void onState(const DaemonState &state);
    void attendWaiting(const DaemonState &state);
    void attendFull(const DaemonState &state);
    void onChanges(quint64 id, const QList<SessionChange> &changes);
    KeepDialog *dialogOf(quint64 id);
    void onNotStarted(const QString &name, const QString &why);

    DaemonClient *m_client;
    MainWindow *m_window;
    TrayActions *m_actions;
    PanicShortcut *m_shortcut;
    PrivateStarter m_starter;
    QPointer<LauncherDialog> m_launcher;
    QHash<quint64, QPointer<KeepDialog>> m_dialogs;
    QSet<quint64> m_attended; // waiting sessions that the person has been told of
    QSet<quint64> m_full;     // sessions whose store the person knows to be full
    QSet<quint64> m_unseen;   // of these, the ones whose files are not known yet
};

} // namespace Tacet
