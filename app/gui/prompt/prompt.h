// SPDX-License-Identifier: GPL-3.0-or-later
// The prompt as the rest of the app sees it: the queue of questions and the window that shows one of them.
#pragma once

#include "base/daemonlink.h"
#include "base/daemonstate.h"
#include "promptqueue.h"
#include "promptwindow.h"

namespace Tacet {

class Prompt : public QObject
{
    Q_OBJECT

public:
    explicit Prompt(Countdown::Clock clock, QObject *parent = nullptr);

    void setState(const DaemonState &state);
    // An open question appears by itself, without taking the keyboard.
    void showUnasked();
    // The same, where the notification that comes first could not be shown.
    void showWithoutNotification();
    // The person asked for it: a click on the tray or on a notification.
    void showOnDemand(quint64 id = 0);

    quint64 currentId() const { return m_queue.current().id; }
    PromptWindow *window() { return &m_window; }

public Q_SLOTS:
    void onWithdrawn(quint64 id, Tacet::WithdrawReason reason);
    void onAnswerFailed(quint64 id, const Tacet::DaemonError &error);

Q_SIGNALS:
    void answerChosen(quint64 id, const Tacet::Answer &answer);
    void ruleChosen(const Tacet::RuleDraft &draft);
    void attended(quint64 id);
    // The person is reading the question.
    void timeWanted(quint64 id);

private:
    PromptQueue m_queue;
    PromptWindow m_window;
};

} // namespace Tacet
