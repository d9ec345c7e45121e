// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the tray's menu that is about private sessions.
#pragma once

#include "base/daemonstate.h"

#include <QMenu>
#include <QObject>

namespace Tacet {

// Whether the desktop lets us have a key that works in every program.
enum class ShortcutState { Held, Taken, Unsupported };

class SessionMenu : public QObject
{
    Q_OBJECT

public:
    // Appends its actions to the menu.
    SessionMenu(QMenu *menu, QObject *parent);

    void setState(const DaemonState &state);
    void setShortcut(const QString &name, ShortcutState state);

Q_SIGNALS:
    void runRequested();
    void endRequested(quint64 id);
    void keepRequested(quint64 id);
    void panicRequested();

private:
    void addSession(const PrivateSession &session);
    void rebuild(const QList<PrivateSession> &sessions);

    QMenu *m_menu;
    QAction *m_run;
    QAction *m_panic;
    QList<PrivateSession> m_shown;
    QList<QMenu *> m_sessions;
};

} // namespace Tacet
