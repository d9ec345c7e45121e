// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessionmenu.h"

#include "base/sessionwords.h"
#include "base/untrusted.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

// Only what the menu shows: rebuilt for every byte of memory it would flicker under the pointer.
bool looksSame(const PrivateSession &left, const PrivateSession &right)
{
    return left.id == right.id && left.state == right.state && left.application == right.application;
}

QString escaped(const QString &text)
{
    return QString(text).replace(u'&', u"&&"_s);
}

} // namespace

SessionMenu::SessionMenu(QMenu *menu, QObject *parent)
    : QObject(parent)
    , m_menu(menu)
    , m_run(menu->addAction(tr("Run pri&vately…")))
    , m_panic(menu->addAction(QString()))
{
    m_run->setObjectName(u"runPrivatelyAction"_s);
    m_panic->setObjectName(u"panicAction"_s);
    connect(m_run, &QAction::triggered, this, &SessionMenu::runRequested);
    connect(m_panic, &QAction::triggered, this, &SessionMenu::panicRequested);
    setShortcut({}, ShortcutState::Unsupported);
}

void SessionMenu::setState(const DaemonState &state)
{
    m_run->setEnabled(state.isReady());
    // Panic is never greyed out by a list that may be out of date.
    m_panic->setEnabled(state.isReady());
    if (!std::ranges::equal(state.sessions, m_shown, looksSame))
        rebuild(state.sessions);
}

void SessionMenu::setShortcut(const QString &name, ShortcutState state)
{
    switch (state) {
    case ShortcutState::Held:
        m_panic->setText(tr("Panic: &end every private session (%1)").arg(escaped(name)));
        return;
    case ShortcutState::Taken:
        m_panic->setText(tr("Panic: &end every private session (%1 is taken by another program)").arg(escaped(name)));
        return;
    case ShortcutState::Unsupported:
        m_panic->setText(tr("Panic: &end every private session (this desktop offers no key for it)"));
        return;
    }
}

void SessionMenu::rebuild(const QList<PrivateSession> &sessions)
{
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
    auto *menu = new QMenu(escaped(title), m_menu);
    menu->setObjectName(u"session%1Menu"_s.arg(session.id));
    menu->setIcon(QIcon::fromTheme(u"tacet-private"_s, QIcon(u":/icons/tacet-private.svg"_s)));
    QAction *keep = menu->addAction(tr("&Keep files…"));
    keep->setObjectName(u"keepSession%1Action"_s.arg(session.id));
    connect(keep, &QAction::triggered, this, [this, id = session.id] { Q_EMIT keepRequested(id); });
    QAction *end = menu->addAction(tr("&End: all that it wrote is gone"));
    end->setObjectName(u"endSession%1Action"_s.arg(session.id));
    connect(end, &QAction::triggered, this, [this, id = session.id] { Q_EMIT endRequested(id); });
    m_menu->insertMenu(m_panic, menu);
    m_sessions.append(menu);
}

} // namespace Tacet
