// SPDX-License-Identifier: GPL-3.0-or-later
#include "promptqueue.h"

#include <algorithm>

namespace Tacet {

void PromptQueue::setQuestions(const QList<Question> &questions)
{
    m_open = questions;
    const auto current = std::ranges::find(m_open, m_current.id, &Question::id);
    // More time is no other question: what the person has chosen stays.
    if (current != m_open.cend() && current->expires != m_current.expires) {
        m_current.expires = current->expires;
        Q_EMIT expiresChanged(m_current.expires);
    }
    const bool isReplaced = current != m_open.cend() && *current != m_current && !m_busy;
    if (isReplaced)
        show(*current);
    else if (m_current.id == 0 && !m_open.isEmpty())
        show(m_open.constFirst());
    else
        Q_EMIT waitingChanged();
}

void PromptQueue::withdraw(quint64 id, WithdrawReason reason, bool isRead)
{
    m_open.removeIf([id](const Question &question) { return question.id == id; });
    if (id != m_current.id || m_late) {
        Q_EMIT waitingChanged();
        return;
    }
    if (reason != WithdrawReason::Expired || !isRead || m_busy || !m_open.isEmpty() || m_current.inSession) {
        sendNext();
        return;
    }
    m_late = true;
    Q_EMIT expired();
    Q_EMIT waitingChanged();
}

void PromptQueue::pick(quint64 id)
{
    const auto wanted = std::ranges::find(m_open, id, &Question::id);
    if (wanted != m_open.cend() && m_current.id != id && !m_busy)
        show(*wanted);
}

void PromptQueue::choose(const PromptChoice &choice)
{
    if (m_busy || m_current.id == 0)
        return;
    if (m_late) {
        Q_EMIT ruleChosen({choice.verdict, choice.duration, choice.scope.scopeFor(m_current)});
        moveOn();
        return;
    }
    m_choice = choice;
    m_batch = choice.similar;
    send();
}

void PromptQueue::onAnswerFailed(quint64 id)
{
    if (id != m_current.id)
        return;
    m_batch.clear();
    setBusy(false);
}

void PromptQueue::dismiss()
{
    if (m_late)
        moveOn();
}

QList<Question> PromptQueue::similar() const
{
    QList<Question> similar;
    std::ranges::copy_if(m_open, std::back_inserter(similar), [this](const Question &question) { return question.isSimilarTo(m_current); });
    return similar;
}

qsizetype PromptQueue::others() const
{
    return m_open.size() - similar().size() - (m_late || m_current.id == 0 ? 0 : 1);
}

void PromptQueue::show(const Question &question)
{
    m_current = question;
    m_late = false;
    setBusy(false);
    Q_EMIT currentChanged(m_current);
    Q_EMIT waitingChanged();
}

void PromptQueue::setBusy(bool busy)
{
    m_busy = busy;
    Q_EMIT busyChanged(busy);
}

void PromptQueue::send()
{
    setBusy(true);
    const Answer answer{.verdict = m_choice.verdict, .duration = m_choice.duration, .scope = m_choice.scope.scopeFor(m_current)};
    Q_EMIT answerChosen(m_current.id, answer);
}

// One after the other: a rule of the first may settle the rest, and two password dialogs at once help nobody.
void PromptQueue::sendNext()
{
    while (!m_batch.isEmpty()) {
        const auto next = std::ranges::find(m_open, m_batch.takeFirst(), &Question::id);
        if (next == m_open.cend())
            continue;
        show(*next);
        send();
        return;
    }
    moveOn();
}

void PromptQueue::moveOn()
{
    m_batch.clear();
    if (!m_open.isEmpty()) {
        show(m_open.constFirst());
        return;
    }
    m_current = {};
    m_late = false;
    m_busy = false;
    Q_EMIT emptied();
}

} // namespace Tacet
