// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which open question the prompt shows, and carries an answer to all questions that it is for.
#pragma once

#include "base/scopechoice.h"

#include <QList>
#include <QObject>

namespace Tacet {

// A person's choice for a question, and for the similar ones that were counted then.
struct PromptChoice
{
    Verdict verdict = Verdict::Block;
    Duration duration = Duration::Once;
    ScopeChoice scope;
    QList<quint64> similar;
};

class PromptQueue : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    // All that are open, in the order in which the daemon asked. The first stays until it is answered or withdrawn.
    void setQuestions(const QList<Question> &questions);
    // isRead: the person was reading the current question, and may want a rule where it is too late for an answer.
    void withdraw(quint64 id, WithdrawReason reason, bool isRead);
    // The person asked for this one.
    void pick(quint64 id);
    void choose(const PromptChoice &choice);
    void onAnswerFailed(quint64 id);
    // Leaves a question that expired.
    void dismiss();

    const Question &current() const { return m_current; } // id 0: none
    QList<Question> similar() const;
    qsizetype others() const;

Q_SIGNALS:
    // Another question is to be shown, or the current one says something else.
    void currentChanged(const Tacet::Question &question);
    // The current one waits longer.
    void expiresChanged(quint64 expires);
    void waitingChanged();
    void busyChanged(bool busy);
    void expired();
    void emptied();
    void answerChosen(quint64 id, const Tacet::Answer &answer);
    // For a question that had expired.
    void ruleChosen(const Tacet::RuleDraft &draft);

private:
    void show(const Question &question);
    void setBusy(bool busy);
    void send();
    void sendNext();
    void moveOn();

    QList<Question> m_open;
    Question m_current;
    PromptChoice m_choice;
    QList<quint64> m_batch; // to be answered by m_choice after the current one
    bool m_busy = false;    // the current one's answer is on its way
    bool m_late = false;    // the current one has expired
};

} // namespace Tacet
