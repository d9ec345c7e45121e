// SPDX-License-Identifier: GPL-3.0-or-later
// The prompt shows the first question until it is settled, then the next; one answer can settle several that are alike.
#include "fakedaemon.h"
#include "gui/prompt/promptqueue.h"

#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace Qt::StringLiterals;
using namespace Tacet;

namespace {

Question question(quint64 id, const QString &file = u"/home/anna/a.csv"_s, const QString &executable = u"/usr/bin/curl"_s)
{
    QVariantMap map = questionMap(id, file);
    map.insert(u"executable"_s, executable);
    map.insert(u"expires"_s, quint64(1'000'000));
    return *Question::parse(map);
}

} // namespace

class TestPromptQueue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void firstStaysWhileOthersCome();
    void withdrawnMovesOn();
    void withdrawnBehindChangesNothing();
    void replacedIsShownAnew();
    void replacedWhileAnswerIsOnItsWay();
    void pickedComesFirst();
    void nothingIsPickedWhileAnswerIsOnItsWay();
    void oneAnswerForOneQuestion();
    void similarAreAnsweredInTurn();
    void failureEndsTheBatch();
    void withdrawnAfterFailureAnswersNoOther();
    void expiredMovesOn();
    void expiredWhileReadMakesRule();
    void expiredWhileReadCanBeDismissed();
    void expiredInPrivateSessionMakesNoRule();

private:
    void open(const QList<Question> &questions);
    void withdraw(quint64 id, WithdrawReason reason, bool isRead = false);
    quint64 answeredId(int index) const { return m_answers->at(index).at(0).toULongLong(); }
    Answer answer(int index) const { return m_answers->at(index).at(1).value<Answer>(); }
    QList<quint64> similarIds() const;

    QList<Question> m_open;
    std::unique_ptr<PromptQueue> m_queue;
    std::unique_ptr<QSignalSpy> m_shown;
    std::unique_ptr<QSignalSpy> m_emptied;
    std::unique_ptr<QSignalSpy> m_answers;
    std::unique_ptr<QSignalSpy> m_rules;
};

void TestPromptQueue::init()
{
    m_open.clear();
    m_queue = std::make_unique<PromptQueue>();
    m_shown = std::make_unique<QSignalSpy>(m_queue.get(), &PromptQueue::currentChanged);
    m_emptied = std::make_unique<QSignalSpy>(m_queue.get(), &PromptQueue::emptied);
    m_answers = std::make_unique<QSignalSpy>(m_queue.get(), &PromptQueue::answerChosen);
    m_rules = std::make_unique<QSignalSpy>(m_queue.get(), &PromptQueue::ruleChosen);
}

void TestPromptQueue::open(const QList<Question> &questions)
{
    m_open += questions;
    m_queue->setQuestions(m_open);
}

// As DaemonClient does: it tells of the end first, and then of the state without the question.
void TestPromptQueue::withdraw(quint64 id, WithdrawReason reason, bool isRead)
{
    m_queue->withdraw(id, reason, isRead);
    m_open.removeIf([id](const Question &question) { return question.id == id; });
    m_queue->setQuestions(m_open);
}

QList<quint64> TestPromptQueue::similarIds() const
{
    QList<quint64> ids;
    for (const Question &similar : m_queue->similar())
        ids.append(similar.id);
    return ids;
}

void TestPromptQueue::firstStaysWhileOthersCome()
{
    open({question(7)});
    QCOMPARE(m_queue->current().id, 7U);
    open({question(3), question(9, u"/home/anna/b.csv"_s, u"/usr/bin/nc"_s)});
    QCOMPARE(m_queue->current().id, 7U);
    QCOMPARE(m_shown->size(), 1);
    QCOMPARE(similarIds(), QList<quint64>{3});
    QCOMPARE(m_queue->others(), 1);
}

void TestPromptQueue::withdrawnMovesOn()
{
    open({question(1), question(2)});
    withdraw(1, WithdrawReason::Gone);
    QCOMPARE(m_queue->current().id, 2U);
    QCOMPARE(m_emptied->size(), 0);
    withdraw(2, WithdrawReason::Rule);
    QCOMPARE(m_queue->current().id, 0U);
    QCOMPARE(m_emptied->size(), 1);
}

void TestPromptQueue::withdrawnBehindChangesNothing()
{
    open({question(1), question(2)});
    withdraw(2, WithdrawReason::Gone);
    QCOMPARE(m_queue->current().id, 1U);
    QCOMPARE(m_shown->size(), 1);
    QVERIFY(m_queue->similar().isEmpty());
}

// The answer is for the question that was shown.
void TestPromptQueue::replacedIsShownAnew()
{
    open({question(1)});
    m_queue->setQuestions({question(1)});
    QCOMPARE(m_shown->size(), 1);
    m_queue->setQuestions({question(1, u"/home/anna/other.csv"_s)});
    QCOMPARE(m_shown->size(), 2);
    QCOMPARE(m_queue->current().file, u"/home/anna/other.csv"_s);
}

void TestPromptQueue::replacedWhileAnswerIsOnItsWay()
{
    open({question(1)});
    m_queue->choose({});
    m_queue->setQuestions({question(1, u"/home/anna/other.csv"_s)});
    QCOMPARE(m_shown->size(), 1);
}

void TestPromptQueue::pickedComesFirst()
{
    open({question(1), question(2)});
    m_queue->pick(2);
    QCOMPARE(m_queue->current().id, 2U);
    m_queue->pick(5);
    QCOMPARE(m_queue->current().id, 2U);
    withdraw(2, WithdrawReason::Answered);
    QCOMPARE(m_queue->current().id, 1U);
}

void TestPromptQueue::nothingIsPickedWhileAnswerIsOnItsWay()
{
    open({question(1), question(2)});
    m_queue->choose({});
    m_queue->pick(2);
    QCOMPARE(m_queue->current().id, 1U);
}

void TestPromptQueue::oneAnswerForOneQuestion()
{
    m_queue->choose({});
    QCOMPARE(m_answers->size(), 0);
    open({question(1)});
    m_queue->choose({.verdict = Verdict::Allow, .duration = Duration::Hour, .scope = {}, .similar = {}});
    m_queue->choose({});
    QCOMPARE(m_answers->size(), 1);
    QCOMPARE(answeredId(0), 1U);
    QCOMPARE(answer(0).verdict, Verdict::Allow);
    QCOMPARE(answer(0).scope.subject, u"/home/anna/a.csv"_s);
}

void TestPromptQueue::similarAreAnsweredInTurn()
{
    open({question(1), question(2, u"/home/anna/b.csv"_s), question(3, u"/home/anna/c.csv"_s),
          question(4, u"/home/anna/a.csv"_s, u"/usr/bin/nc"_s)});
    m_queue->choose({.verdict = Verdict::Scrub, .duration = Duration::Hour, .scope = {}, .similar = similarIds()});
    QCOMPARE(m_answers->size(), 1);
    withdraw(1, WithdrawReason::Answered);
    QCOMPARE(m_answers->size(), 2);
    QCOMPARE(answeredId(1), 2U);
    QCOMPARE(answer(1).scope.subject, u"/home/anna/b.csv"_s);
    QCOMPARE(answer(1).duration, Duration::Hour);
    // The daemon settled the third by the second's rule: not answered again.
    withdraw(3, WithdrawReason::Rule);
    withdraw(2, WithdrawReason::Answered);
    QCOMPARE(m_answers->size(), 2);
    QCOMPARE(m_queue->current().id, 4U);
}

void TestPromptQueue::failureEndsTheBatch()
{
    open({question(1), question(2)});
    m_queue->choose({.verdict = Verdict::Allow, .duration = Duration::Once, .scope = {}, .similar = similarIds()});
    m_queue->onAnswerFailed(1);
    QCOMPARE(m_queue->current().id, 1U);
    // The person can answer again, and this time for the one alone.
    m_queue->choose({});
    QCOMPARE(m_answers->size(), 2);
    withdraw(1, WithdrawReason::Answered);
    QCOMPARE(m_answers->size(), 2);
    QCOMPARE(m_queue->current().id, 2U);
}

// The person saw that the answer failed: nothing more goes out by it.
void TestPromptQueue::withdrawnAfterFailureAnswersNoOther()
{
    open({question(1), question(2)});
    m_queue->choose({.verdict = Verdict::Allow, .duration = Duration::Once, .scope = {}, .similar = similarIds()});
    m_queue->onAnswerFailed(1);
    withdraw(1, WithdrawReason::Gone);
    QCOMPARE(m_queue->current().id, 2U);
    QCOMPARE(m_answers->size(), 1);
}

void TestPromptQueue::expiredMovesOn()
{
    open({question(1), question(2)});
    // Even while it is read: another one waits.
    withdraw(1, WithdrawReason::Expired, true);
    QCOMPARE(m_queue->current().id, 2U);
    withdraw(2, WithdrawReason::Expired);
    QCOMPARE(m_queue->current().id, 0U);
}

void TestPromptQueue::expiredWhileReadMakesRule()
{
    QSignalSpy expired(m_queue.get(), &PromptQueue::expired);
    open({question(1)});
    withdraw(1, WithdrawReason::Expired, true);
    QCOMPARE(expired.size(), 1);
    QCOMPARE(m_emptied->size(), 0);
    open({question(2)});
    QCOMPARE(m_queue->current().id, 1U);
    QCOMPARE(m_queue->others() + m_queue->similar().size(), 1);
    m_queue->choose({.verdict = Verdict::Scrub, .duration = Duration::Always, .scope = {}, .similar = {}});
    QCOMPARE(m_answers->size(), 0);
    QCOMPARE(m_rules->size(), 1);
    QCOMPARE(m_rules->first().first().value<RuleDraft>().verdict, Verdict::Scrub);
    QCOMPARE(m_queue->current().id, 2U);
}

void TestPromptQueue::expiredWhileReadCanBeDismissed()
{
    open({question(1)});
    m_queue->dismiss();
    QCOMPARE(m_queue->current().id, 1U);
    withdraw(1, WithdrawReason::Expired, true);
    m_queue->dismiss();
    QCOMPARE(m_emptied->size(), 1);
    QCOMPARE(m_rules->size(), 0);
}

void TestPromptQueue::expiredInPrivateSessionMakesNoRule()
{
    Question inSession = question(1);
    inSession.inSession = true;
    open({inSession});
    withdraw(1, WithdrawReason::Expired, true);
    QCOMPARE(m_emptied->size(), 1);
}

QTEST_GUILESS_MAIN(TestPromptQueue)
#include "tst_prompt_queue.moc"
