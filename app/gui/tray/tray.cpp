// SPDX-License-Identifier: GPL-3.0-or-later
#include "tray.h"

#include "base/statuswords.h"
#include "gui/common/statusicons.h"

#include <KStatusNotifierItem>

using namespace Qt::StringLiterals;

namespace Tacet {

Tray::Tray(QObject *parent)
    : QObject(parent), m_menu(new QMenu), m_actions(new TrayActions(m_menu)), m_item(new KStatusNotifierItem(u"org.tacet.App"_s, this))
{
    m_menu->setObjectName(u"trayMenu"_s);
    buildMenu();
    m_item->setTitle(tr("Tacet"));
    m_item->setCategory(KStatusNotifierItem::SystemServices);
    m_item->setStandardActionsEnabled(false);
    m_item->setContextMenu(m_menu);
    connect(m_item, &KStatusNotifierItem::activateRequested, this, &Tray::onActivated);
    connect(m_menu, &QMenu::aboutToShow, m_actions, &TrayActions::namePauses);
    setState({});
}

Tray::~Tray() = default;

void Tray::buildMenu()
{
    m_menu->addAction(m_actions->status);
    m_menu->addAction(m_actions->questions);
    m_menu->addSeparator();
    m_sessions = new SessionMenu(m_menu, m_actions, this);
    m_menu->addSeparator();
    m_pause = m_menu->addMenu(tr("&Pause protection"));
    m_pause->setObjectName(u"pauseMenu"_s);
    m_pause->addActions(m_actions->pauses);
    m_menu->addAction(m_actions->resume);
    m_menu->addSeparator();
    m_menu->addActions(m_actions->pages);
    m_menu->addSeparator();
    m_menu->addAction(m_actions->quit);
}

void Tray::setState(const DaemonState &state)
{
    const Condition condition = conditionOf(state);
    const QString title = StatusWords::title(state);
    m_actions->setState(state);
    m_sessions->setSessions(state.sessions);
    m_pause->menuAction()->setVisible(!state.isPaused());
    m_pause->setEnabled(state.isReady());

    const QString name = statusIconName(condition);
    if (QIcon::hasThemeIcon(name)) {
        m_item->setIconByName(name);
        m_item->setAttentionIconByName(name);
    } else {
        // A name that was set before would win over the picture.
        m_item->setIconByName({});
        m_item->setAttentionIconByName({});
        m_item->setIconByPixmap(statusIcon(condition));
        m_item->setAttentionIconByPixmap(statusIcon(condition));
    }
    m_item->setStatus(condition == Condition::Question ? KStatusNotifierItem::NeedsAttention : KStatusNotifierItem::Active);
    m_item->setToolTip(name, tr("Tacet"), title);
}

void Tray::onActivated()
{
    QAction *wanted = m_actions->questions->isEnabled() ? m_actions->questions : m_actions->status;
    wanted->trigger();
}

} // namespace Tacet
