// SPDX-License-Identifier: GPL-3.0-or-later
#include "prompt.h"

#include "base/words.h"

namespace Tacet {

Prompt::Prompt(Countdown::Clock clock, QObject *parent) : QObject(parent), m_window(std::move(clock))
{
    connect(&m_queue, &PromptQueue::currentChanged, &m_window, &PromptWindow::showQuestion);
    connect(&m_queue, &PromptQueue::waitingChanged, &m_window, [this] { m_window.setWaiting(m_queue.similar(), m_queue.others()); });
    connect(&m_queue, &PromptQueue::expiresChanged, &m_window, &PromptWindow::setExpires);
    connect(&m_queue, &PromptQueue::busyChanged, &m_window, &PromptWindow::setBusy);
    connect(&m_queue, &PromptQueue::expired, &m_window, &PromptWindow::showLate);
    connect(&m_queue, &PromptQueue::emptied, &m_window, &PromptWindow::showNothing);
    connect(&m_queue, &PromptQueue::answerChosen, this, &Prompt::answerChosen);
    connect(&m_queue, &PromptQueue::ruleChosen, this, &Prompt::ruleChosen);
    connect(&m_window, &PromptWindow::chosen, &m_queue, &PromptQueue::choose);
    connect(&m_window, &PromptWindow::dismissed, &m_queue, &PromptQueue::dismiss);
    connect(&m_window, &PromptWindow::timeWanted, this, &Prompt::timeWanted);
    connect(&m_window, &PromptWindow::attended, this, &Prompt::attended);
}

void Prompt::setState(const DaemonState &state)
{
    m_queue.setQuestions(state.questions);
}

void Prompt::showUnasked()
{
    m_window.appear();
}

void Prompt::showWithoutNotification()
{
    m_window.appearAnyhow();
}

void Prompt::showOnDemand(quint64 id)
{
    m_queue.pick(id);
    m_window.comeForward();
}

void Prompt::onWithdrawn(quint64 id, WithdrawReason reason)
{
    m_queue.withdraw(id, reason, m_window.isBeingRead());
}

void Prompt::onAnswerFailed(quint64 id, const DaemonError &error)
{
    m_queue.onAnswerFailed(id);
    if (id == currentId())
        m_window.showError(PromptWindow::tr("Not answered: %1").arg(Words::error(error.name, error.message)));
}

} // namespace Tacet
