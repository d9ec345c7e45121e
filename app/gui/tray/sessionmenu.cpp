// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessionmenu.h"

#include "base/sessionwords.h"
#include "base/untrusted.h"
#include "trayactions.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

// Only what the menu shows: rebuilt for every byte of memory it would flicker under the pointer.
bool looksSame(const PrivateSession &left, const PrivateSession &right)
{
    return left.id == right.id && left.state == right.state && left.application == right.application;
}

} // namespace

SessionMenu::SessionMenu(QMenu *menu, TrayActions *actions, QObject *parent) : QObject(parent), m_menu(menu), m_actions(actions)
{
    menu->addAction(actions->run);
    menu->addAction(actions->panic);
}

void SessionMenu::setSessions(const QList<PrivateSession> &sessions)
{
    if (std::ranges::equal(sessions, m_shown, looksSame))
        return;
    m_shown = sessions;
    for (QMenu *menu : std::as_const(m_sessions)) {
        m_menu->removeAction(menu->menuAction());
        menu->deleteLater();
    }
    m_sessions.clear();
    for (const PrivateSession &session : sessions)
        addSession(session);
}

void SessionMenu::addSession(const PrivateSession &session)
{
    QString title = shown(session.application, 60);
    if (session.state != SessionState::Running)
        title = tr("%1: %2").arg(title, SessionWords::state(session.state));
    auto *menu = new QMenu(title.replace(u'&', u"&&"_s), m_menu);
    menu->setObjectName(u"session%1Menu"_s.arg(session.id));
    menu->setIcon(QIcon::fromTheme(u"tacet-private"_s, QIcon(u":/icons/tacet-private.svg"_s)));
    menu->addAction(m_actions->makeKeep(session.id, menu));
    menu->addAction(m_actions->makeEnd(session.id, menu));
    m_menu->insertMenu(m_actions->panic, menu);
    m_sessions.append(menu);
}

} // namespace Tacet
