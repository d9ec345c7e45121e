// SPDX-License-Identifier: GPL-3.0-or-later
// Every action of the tray's menus: its name, text and key, when it can be used, and the wish that it stands for. The menus only
// arrange them. There are no icons but the state's: the desktop draws the menu, and many show none.
#pragma once

#include "base/daemonstate.h"
#include "gui/common/page.h"
#include "gui/sessions/panicshortcut.h"

#include <QAction>
#include <QList>

namespace Tacet {

class TrayActions : public QObject
{
    Q_OBJECT

public:
    explicit TrayActions(QObject *parent);

    void setState(const DaemonState &state);
    void setShortcut(const QString &name, ShortcutState state);
    // Until when each pause would last: the time passes while the menu is closed.
    void namePauses();

    // For one session; they belong to the parent.
    QAction *makeKeep(quint64 session, QObject *parent);
    QAction *makeEnd(quint64 session, QObject *parent);

    QAction *const status;
    QAction *const questions;
    QAction *const run;
    QAction *const panic;
    const QList<QAction *> pauses; // the shortest first
    QAction *const resume;
    const QList<QAction *> pages;
    QAction *const quit;

Q_SIGNALS:
    void questionsRequested();
    void pageRequested(Tacet::Page page);
    void runRequested();
    void keepRequested(quint64 session);
    void endRequested(quint64 session);
    void panicRequested();
    void pauseRequested(quint32 minutes);
    void resumeRequested();
    void quitRequested();

private:
    template <typename Handler>
    QAction *make(const QString &name, const QString &text, Handler handler, QObject *parent = nullptr);
    QAction *makePage(const QString &name, const QString &text, Page page);
    QAction *makePause(quint32 minutes);
};

} // namespace Tacet
