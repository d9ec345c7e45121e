// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the tray's menu that is about private sessions: a menu for each.
#pragma once

#include "base/privatesession.h"

#include <QMenu>
#include <QObject>

namespace Tacet {

class TrayActions;

class SessionMenu : public QObject
{
    Q_OBJECT

public:
    // Appends its actions to the menu.
    SessionMenu(QMenu *menu, TrayActions *actions, QObject *parent);

    void setSessions(const QList<PrivateSession> &sessions);

private:
    void addSession(const PrivateSession &session);

    QMenu *m_menu;
    TrayActions *m_actions;
    QList<PrivateSession> m_shown;
    QList<QMenu *> m_sessions;
};

} // namespace Tacet
