// SPDX-License-Identifier: GPL-3.0-or-later
// The tray item (StatusNotifierItem): state by shape and colour, and the menu.
#pragma once

#include "sessionmenu.h"
#include "trayactions.h"

#include <QMenu>
#include <QObject>

class KStatusNotifierItem;

namespace Tacet {

class Tray : public QObject
{
    Q_OBJECT

public:
    explicit Tray(QObject *parent = nullptr);
    ~Tray() override;

    void setState(const DaemonState &state);
    QMenu *menu() const { return m_menu; }
    // The person's requests.
    TrayActions *actions() const { return m_actions; }

private:
    void buildMenu();
    void onActivated();

    QMenu *m_menu;
    TrayActions *m_actions;
    KStatusNotifierItem *m_item;
    SessionMenu *m_sessions = nullptr;
    QMenu *m_pause = nullptr;
};

} // namespace Tacet
