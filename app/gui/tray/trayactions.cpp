// SPDX-License-Identifier: GPL-3.0-or-later
#include "trayactions.h"

#include "base/statuswords.h"
#include "base/words.h"
#include "gui/common/statusicons.h"

using namespace Qt::StringLiterals;

namespace Tacet {

TrayActions::TrayActions(QObject *parent)
    : QObject(parent), status(makePage(u"statusAction"_s, {}, Page::Files)),
      questions(make(u"questionsAction"_s, {}, [this] { Q_EMIT questionsRequested(); })),
      run(make(u"runPrivatelyAction"_s, tr("Run pri&vately…"), [this] { Q_EMIT runRequested(); })),
      panic(make(u"panicAction"_s, {}, [this] { Q_EMIT panicRequested(); })), pauses{makePause(5), makePause(15), makePause(60)},
      resume(make(u"resumeAction"_s, tr("&Resume protection"), [this] { Q_EMIT resumeRequested(); })),
      pages{makePage(u"activityAction"_s, tr("&Activity"), Page::Activity), makePage(u"filesAction"_s, tr("&Sensitive files"), Page::Files),
            makePage(u"sessionsAction"_s, tr("Private s&essions"), Page::Sessions),
            makePage(u"memoryAction"_s, tr("&Memory"), Page::Memory), makePage(u"rulesAction"_s, tr("&Rules"), Page::Rules)},
      quit(make(u"quitAction"_s, tr("&Quit this window program (protection goes on)"), [this] { Q_EMIT quitRequested(); }))
{
    setShortcut({}, ShortcutState::Unsupported);
    namePauses();
}

template <typename Handler>
QAction *TrayActions::make(const QString &name, const QString &text, Handler handler, QObject *parent)
{
    auto *action = new QAction(text, parent ? parent : this);
    action->setObjectName(name);
    connect(action, &QAction::triggered, this, handler);
    return action;
}

QAction *TrayActions::makePage(const QString &name, const QString &text, Page page)
{
    return make(name, text, [this, page] { Q_EMIT pageRequested(page); });
}

QAction *TrayActions::makePause(quint32 minutes)
{
    QAction *action = make(u"pause%1Action"_s.arg(minutes), {}, [this, minutes] { Q_EMIT pauseRequested(minutes); });
    action->setData(minutes);
    return action;
}

QAction *TrayActions::makeKeep(quint64 session, QObject *parent)
{
    return make(u"keepSession%1Action"_s.arg(session), tr("&Keep files…"), [this, session] { Q_EMIT keepRequested(session); }, parent);
}

QAction *TrayActions::makeEnd(quint64 session, QObject *parent)
{
    return make(u"endSession%1Action"_s.arg(session), tr("&End: all that it wrote is gone"),
                [this, session] { Q_EMIT endRequested(session); }, parent);
}

void TrayActions::setState(const DaemonState &state)
{
    status->setText(StatusWords::title(state));
    status->setIcon(statusIcon(conditionOf(state)));
    questions->setText(tr("%n question(s)…", nullptr, int(state.questions.size())));
    questions->setEnabled(!state.questions.isEmpty());
    run->setEnabled(state.isReady());
    // Panic is never greyed out by a list that may be out of date.
    panic->setEnabled(state.isReady());
    resume->setVisible(state.isPaused());
    namePauses();
}

void TrayActions::setShortcut(const QString &name, ShortcutState state)
{
    const QString key = QString(name).replace(u'&', u"&&"_s);
    switch (state) {
    case ShortcutState::Held:
        panic->setText(tr("Panic: &end every private session (%1)").arg(key));
        return;
    case ShortcutState::Taken:
        panic->setText(tr("Panic: &end every private session (%1 is taken by another program)").arg(key));
        return;
    case ShortcutState::Unsupported:
        panic->setText(tr("Panic: &end every private session (this desktop offers no key for it)"));
        return;
    }
}

void TrayActions::namePauses()
{
    for (QAction *action : pauses) {
        const int minutes = action->data().toInt();
        const QString until = Words::time(QDateTime::currentDateTime().addSecs(minutes * 60));
        action->setText(tr("For %n minute(s), until %1", nullptr, minutes).arg(until));
    }
}

} // namespace Tacet
