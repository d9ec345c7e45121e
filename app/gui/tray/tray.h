// SPDX-License-Identifier: GPL-3.0-or-later
// The tray item (StatusNotifierItem): state by shape and colour, and the menu.
#pragma once

#include "base/daemonstate.h"
#include "gui/common/page.h"
#include "gui/sessions/sessionmenu.h"

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
    SessionMenu *sessions() const { return m_sessions; }

Q_SIGNALS:
    void questionsRequested();
    void pageRequested(Tacet::Page page);
    void pauseRequested(quint32 minutes);
    void resumeRequested();
    void quitRequested();

private:
    QAction *addAction(QMenu *menu, const QString &text, const QString &name);
    void buildMenu();
    void addPause();
    void nameResumeTimes();
    void onActivated();

    QMenu *m_menu;
    KStatusNotifierItem *m_item;
    QAction *m_status = nullptr;
    QAction *m_questions = nullptr;
    SessionMenu *m_sessions = nullptr;
    QMenu *m_pause = nullptr;
    QAction *m_resume = nullptr;
    bool m_hasQuestions = false;
};

} // namespace Tacet
