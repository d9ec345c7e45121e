// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the daemon's state with what shows it, and the person's intentions with the daemon.
#pragma once

#include "base/daemonclient.h"
#include "base/sessionlock.h"
#include "gui/notifications/notifier.h"
#include "gui/prompt/prompt.h"
#include "gui/tray/tray.h"
#include "gui/window/mainwindow.h"
#include "sessioncoordinator.h"

#include <QObject>

namespace Tacet {

class Application : public QObject
{
    Q_OBJECT

public:
    Application(const QDBusConnection &daemonBus, const QDBusConnection &sessionBus, QObject *parent = nullptr);

    void start();
    // A page by its name on the command line; any other name shows what needs attention.
    void show(const QString &page);
    static QStringList pageNames();
    // Opens files in private sessions; none: offers the installed programs.
    void runPrivately(const QStringList &files);

    MainWindow *mainWindow() { return &m_window; }
    Prompt *prompt() { return &m_prompt; }

private:
    void connectState();
    void connectPrompt();
    void connectNotifier();
    void connectTray();
    void connectWindow();
    void connectFiles();
    void connectActivity();
    void onAnswerFailed(quint64 id, const DaemonError &error);
    // Once the policy is known, and once in the life of the app.
    void makeFirstChoice(const DaemonState &state);

    SessionLock m_lock;
    DaemonClient m_client;
    Tray m_tray;
    Notifier m_notifier;
    Prompt m_prompt;
    MainWindow m_window;
    SessionCoordinator m_sessions;
    bool m_hasChosen = false;
};

} // namespace Tacet
