// SPDX-License-Identifier: GPL-3.0-or-later
#include "tray.h"

#include "base/words.h"
#include "gui/common/statusicons.h"

#include <KStatusNotifierItem>

#include <array>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

constexpr std::array<quint32, 3> pauseMinutes{5, 15, 60};

} // namespace

Tray::Tray(QObject *parent)
    : QObject(parent)
    , m_menu(new QMenu)
    , m_item(new KStatusNotifierItem(u"org.tacet.App"_s, this))
{
    m_menu->setObjectName(u"trayMenu"_s);
    buildMenu();
    m_item->setTitle(tr("Tacet"));
    m_item->setCategory(KStatusNotifierItem::SystemServices);
    m_item->setStandardActionsEnabled(false);
    m_item->setContextMenu(m_menu);
    connect(m_item, &KStatusNotifierItem::activateRequested, this, &Tray::onActivated);
    connect(m_menu, &QMenu::aboutToShow, this, &Tray::nameResumeTimes);
    setState({});
}

Tray::~Tray() = default;

QAction *Tray::addAction(QMenu *menu, const QString &text, const QString &name)
{
    QAction *action = menu->addAction(text);
    action->setObjectName(name);
    return action;
}

void Tray::buildMenu()
{
    m_status = addAction(m_menu, {}, u"statusAction"_s);
    connect(m_status, &QAction::triggered, this, [this] { Q_EMIT pageRequested(Page::Files); });
    m_questions = addAction(m_menu, {}, u"questionsAction"_s);
    connect(m_questions, &QAction::triggered, this, &Tray::questionsRequested);
    m_menu->addSeparator();
    m_sessions = new SessionMenu(m_menu, this);
    m_menu->addSeparator();
    addPause();
    m_menu->addSeparator();
    const auto addPage = [this](const QString &text, const QString &name, Page page) {
        connect(addAction(m_menu, text, name), &QAction::triggered, this, [this, page] { Q_EMIT pageRequested(page); });
    };
    addPage(tr("&Activity"), u"activityAction"_s, Page::Activity);
    addPage(tr("&Sensitive files"), u"filesAction"_s, Page::Files);
    addPage(tr("Private s&essions"), u"sessionsAction"_s, Page::Sessions);
    addPage(tr("&Rules"), u"rulesAction"_s, Page::Rules);
    m_menu->addSeparator();
    QAction *quit = addAction(m_menu, tr("&Quit this window program (protection goes on)"), u"quitAction"_s);
    connect(quit, &QAction::triggered, this, &Tray::quitRequested);
}

void Tray::addPause()
{
    m_pause = m_menu->addMenu(tr("&Pause protection"));
    m_pause->setObjectName(u"pauseMenu"_s);
    for (const quint32 minutes : pauseMinutes) {
        QAction *action = addAction(m_pause, {}, u"pause%1Action"_s.arg(minutes));
        action->setData(minutes);
        connect(action, &QAction::triggered, this, [this, minutes] { Q_EMIT pauseRequested(minutes); });
    }
    m_resume = addAction(m_menu, tr("&Resume protection"), u"resumeAction"_s);
    connect(m_resume, &QAction::triggered, this, &Tray::resumeRequested);
    nameResumeTimes();
}

void Tray::nameResumeTimes()
{
    const auto actions = m_pause->actions();
    for (QAction *action : actions) {
        const int minutes = action->data().toInt();
        const QString until = Words::time(QDateTime::currentDateTime().addSecs(minutes * 60));
        action->setText(tr("For %n minute(s), until %1", nullptr, minutes).arg(until));
    }
}

void Tray::setState(const DaemonState &state)
{
    const Condition condition = conditionOf(state);
    const QString title = StatusWords::title(state);
    m_hasQuestions = !state.questions.isEmpty();
    m_status->setText(title);
    m_status->setIcon(statusIcon(condition));
    m_questions->setText(tr("%n question(s)…", nullptr, int(state.questions.size())));
    m_questions->setEnabled(m_hasQuestions);
    m_sessions->setState(state);
    m_pause->menuAction()->setVisible(!state.isPaused());
    m_pause->setEnabled(state.isReady());
    m_resume->setVisible(state.isPaused());
    nameResumeTimes();

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
    m_item->setStatus(condition == Condition::Question ? KStatusNotifierItem::NeedsAttention
                                                      : KStatusNotifierItem::Active);
    m_item->setToolTip(name, tr("Tacet"), title);
}

void Tray::onActivated()
{
    if (m_hasQuestions)
        Q_EMIT questionsRequested();
    else
        Q_EMIT pageRequested(Page::Files);
}

} // namespace Tacet
