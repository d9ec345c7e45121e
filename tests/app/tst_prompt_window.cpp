// SPDX-License-Identifier: GPL-3.0-or-later
// The prompt's promises: it steals nothing, Enter never allows, Esc stops and then blocks. tst_prompt_queue.cpp has their order.
// One file, however long: all are asked of the one window, by the same few helpers.
#include "base/timestamps.h"
#include "fakedaemon.h"
#include "gui/prompt/inputguard.h"
#include "gui/prompt/prompt.h"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace Qt::StringLiterals;
using namespace Tacet;

class TestPromptWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

    void doesNotActivate();
    void guardDropsEarlyInput();
    void guardExtendsWhileTyping();
    void guardClosesForNextQuestion();
    void enterBlocks();
    void enterNeverAllows_data();
    void enterNeverAllows();
    void keysNeedAClick();
    void keysNeedAnotherClickAfterAnotherWindow();
    void letterAllows();
    void heldKeyDoesNothing();
    void escapeDismissesThenBlocks();
    void hoveringStops();
    void readingAsksForMoreTime();
    void restingPointerDoesNotStop();
    void countdownCounts();
    void eachVerdict_data();
    void eachVerdict();
    void quitFromMenu();
    void takeoverFromMenu();
    void takeoverOnlyWherePossible();
    void tellsWhoReadTheFile_data();
    void tellsWhoReadTheFile();
    void noRuleForAPrivateSession();
    void scopeOfRule();
    void ruleForADestination_data();
    void ruleForADestination();
    void ruleInWords();
    void durationIsRemembered();
    void allowIsNotRemembered();
    void taintedHasNoScrubbedCopy();
    void changeIsAllowedOrBlocked();
    void newSimilarUnticks();
    void expiredWhileReadingOffersRule();
    void expiredIsDismissed_data();
    void expiredIsDismissed();
    void failureIsShownAndCanBeRepeated();
    void changedBinaryWarns();
    void everyControlIsNamed();
    void closingAnswersNothing();

private:
    template <typename Widget>
    Widget *find(const QString &name)
    {
        return m_window->findChild<Widget *>(name);
    }
    void ask(const QList<QVariantMap> &questions);
    void waitForGuard() { QTest::qWait(InputGuard::milliseconds + 50); }
    // As a person does it: with a click on nothing in particular.
    void activate()
    {
        waitForGuard();
        QTest::mouseClick(find<QLabel>(u"sentenceText"_s), Qt::LeftButton);
    }
    void choose(const QString &combo, int index) { find<QComboBox>(combo)->setCurrentIndex(index); }
    void withdraw(quint64 id, WithdrawReason reason);
    quint64 answeredId(int index) const { return m_answers->at(index).at(0).toULongLong(); }
    Answer answer(int index) const { return m_answers->at(index).at(1).value<Answer>(); }

    DaemonState m_state;
    std::unique_ptr<Prompt> m_prompt;
    PromptWindow *m_window = nullptr;
    std::unique_ptr<QSignalSpy> m_answers;
    quint64 m_now = 0;
};

void TestPromptWindow::initTestCase()
{
    QCoreApplication::setOrganizationName(u"tacet-test"_s);
    QCoreApplication::setApplicationName(u"tst_prompt_window"_s);
}

void TestPromptWindow::init()
{
    QSettings().clear();
    m_state = {};
    m_state.connection = Connection::Ready;
    m_now = boottimeMicroseconds();
    m_prompt = std::make_unique<Prompt>([this] { return m_now; });
    m_window = m_prompt->window();
    m_answers = std::make_unique<QSignalSpy>(m_prompt.get(), &Prompt::answerChosen);
}

void TestPromptWindow::cleanup()
{
    m_answers.reset();
    m_prompt.reset();
}

void TestPromptWindow::ask(const QList<QVariantMap> &questions)
{
    for (const QVariantMap &map : questions)
        m_state.questions.append(*Question::parse(map));
    m_prompt->setState(m_state);
    m_prompt->showUnasked();
    QVERIFY(QTest::qWaitForWindowExposed(m_window));
}

void TestPromptWindow::withdraw(quint64 id, WithdrawReason reason)
{
    m_prompt->onWithdrawn(id, reason);
    m_state.questions.removeIf([id](const Question &question) { return question.id == id; });
    m_prompt->setState(m_state);
}

void TestPromptWindow::doesNotActivate()
{
    QVERIFY(m_window->testAttribute(Qt::WA_ShowWithoutActivating));
    QVERIFY(!m_window->isModal());
    ask({questionMap(1)});
    QVERIFY(m_window->isVisible());
}

void TestPromptWindow::guardDropsEarlyInput()
{
    ask({questionMap(1)});
    QTest::mouseClick(find<QPushButton>(u"allowButton"_s), Qt::LeftButton);
    QTest::keyClick(m_window, Qt::Key_Escape);
    QTest::keyClick(m_window, Qt::Key_Return);
    // An accessibility client presses without an input event.
    find<QPushButton>(u"blockButton"_s)->click();
    QCOMPARE(m_answers->size(), 0);
    waitForGuard();
    QTest::mouseClick(find<QPushButton>(u"blockButton"_s), Qt::LeftButton);
    QCOMPARE(m_answers->size(), 1);
}

void TestPromptWindow::guardExtendsWhileTyping()
{
    ask({questionMap(1)});
    for (int key = 0; key < 4; ++key) {
        QTest::qWait(InputGuard::milliseconds / 2);
        QTest::keyClick(find<QPushButton>(u"blockButton"_s), Qt::Key_Space);
    }
    QCOMPARE(m_answers->size(), 0);
}

void TestPromptWindow::guardClosesForNextQuestion()
{
    QVariantMap other = questionMap(2);
    other.insert(u"executable"_s, u"/usr/bin/nc"_s);
    ask({questionMap(1), other});
    waitForGuard();
    QTest::mouseClick(find<QPushButton>(u"allowButton"_s), Qt::LeftButton);
    withdraw(1, WithdrawReason::Answered);
    QCOMPARE(m_prompt->currentId(), 2U);
    // The second click of a double click.
    QTest::mouseClick(find<QPushButton>(u"allowButton"_s), Qt::LeftButton);
    QCOMPARE(m_answers->size(), 1);
}

void TestPromptWindow::enterBlocks()
{
    ask({questionMap(1)});
    activate();
    QTest::keyClick(m_window, Qt::Key_Return);
    QCOMPARE(m_answers->size(), 1);
    QCOMPARE(answer(0).verdict, Verdict::Block);
}

void TestPromptWindow::enterNeverAllows_data()
{
    QTest::addColumn<Qt::Key>("key");
    QTest::newRow("Return") << Qt::Key_Return;
    QTest::newRow("Enter") << Qt::Key_Enter;
    QTest::newRow("Space") << Qt::Key_Space;
    QTest::newRow("Select") << Qt::Key_Select;
}

void TestPromptWindow::enterNeverAllows()
{
    QFETCH(Qt::Key, key);
    ask({questionMap(1)});
    activate();
    auto *allow = find<QPushButton>(u"allowButton"_s);
    allow->setFocus();
    QTest::keyClick(allow, key);
    QCOMPARE(m_answers->size(), 0);
    auto *more = find<QPushButton>(u"moreButton"_s);
    QVERIFY(!more->autoDefault() && !allow->autoDefault() && !allow->isDefault());
}

// The compositor gave the window the keyboard in the middle of "yes send it".
void TestPromptWindow::keysNeedAClick()
{
    ask({questionMap(1)});
    waitForGuard();
    auto *block = find<QPushButton>(u"blockButton"_s);
    for (const Qt::Key key : {Qt::Key_Y, Qt::Key_Space, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Escape, Qt::Key_Tab})
        QTest::keyClick(block, key);
    QTest::keyClick(m_window, Qt::Key_A, Qt::AltModifier);
    QCOMPARE(m_answers->size(), 0);
    QVERIFY(m_window->isVisible() && block->hasFocus());
    QVERIFY(!find<Countdown>(u"countdown"_s)->isHeld());
    activate();
    QTest::keyClick(block, Qt::Key_Space);
    QCOMPARE(m_answers->size(), 1);
}

void TestPromptWindow::keysNeedAnotherClickAfterAnotherWindow()
{
    ask({questionMap(1)});
    activate();
    QEvent deactivated(QEvent::WindowDeactivate);
    QCoreApplication::sendEvent(m_window, &deactivated);
    QTest::keyClick(m_window, Qt::Key_Return);
    QCOMPARE(m_answers->size(), 0);
    // Who asks for it from the tray has activated it.
    m_prompt->showOnDemand(1);
    waitForGuard();
    QTest::keyClick(m_window, Qt::Key_Return);
    QCOMPARE(m_answers->size(), 1);
}

void TestPromptWindow::letterAllows()
{
    ask({questionMap(1)});
    activate();
    QTest::keyClick(m_window, Qt::Key_A, Qt::AltModifier);
    QTRY_COMPARE(m_answers->size(), 1);
    QCOMPARE(answer(0).verdict, Verdict::Allow);
}

void TestPromptWindow::heldKeyDoesNothing()
{
    ask({questionMap(1)});
    activate();
    auto *block = find<QPushButton>(u"blockButton"_s);
    QKeyEvent repeated(QEvent::KeyPress, Qt::Key_Space, Qt::NoModifier, u" "_s, true);
    QCoreApplication::sendEvent(block, &repeated);
    QKeyEvent released(QEvent::KeyRelease, Qt::Key_Space, Qt::NoModifier, u" "_s, false);
    QCoreApplication::sendEvent(block, &released);
    QCOMPARE(m_answers->size(), 0);
}

void TestPromptWindow::escapeDismissesThenBlocks()
{
    ask({questionMap(1)});
    activate();
    choose(u"durationCombo"_s, 5);
    QTest::keyClick(m_window, Qt::Key_Escape);
    QCOMPARE(m_answers->size(), 0);
    QVERIFY(!m_window->isVisible());
    m_prompt->showOnDemand(1);
    waitForGuard();
    QTest::keyClick(m_window, Qt::Key_Escape);
    QCOMPARE(m_answers->size(), 1);
    QCOMPARE(answer(0).verdict, Verdict::Block);
    // No rule comes of it, whatever was chosen.
    QCOMPARE(answer(0).duration, Duration::Once);
}

void TestPromptWindow::hoveringStops()
{
    ask({questionMap(1)});
    waitForGuard();
    QTest::mouseMove(m_window, {10, 10});
    QTest::mouseMove(m_window, {30, 30});
    QTRY_VERIFY(find<Countdown>(u"countdown"_s)->isHeld());
    QCOMPARE(m_answers->size(), 0);
}

void TestPromptWindow::readingAsksForMoreTime()
{
    QSignalSpy wanted(m_prompt.get(), &Prompt::timeWanted);
    ask({questionMap(1)});
    waitForGuard();
    choose(u"durationCombo"_s, 3);
    QCOMPARE(wanted.size(), 0);
    QTest::qWait(20);
    const auto places = [this] {
        return QList<QRect>{m_window->geometry(), find<QPushButton>(u"blockButton"_s)->geometry(),
                            find<QPushButton>(u"allowButton"_s)->geometry()};
    };
    const QList<QRect> placesBefore = places();
    QTest::mouseMove(m_window, {10, 10});
    QTest::mouseMove(m_window, {30, 30});
    QTRY_COMPARE(wanted.size(), 1);
    QCOMPARE(wanted.first().first().toULongLong(), 1U);
    // Until the daemon gives it, nothing is said to be stopped.
    auto *text = find<QLabel>(u"countdownText"_s);
    QVERIFY2(!text->text().contains(u"stopped"_s), qPrintable(text->text()));
    const QString before = text->text();
    m_state.questions.first().expires += 540'000'000;
    m_prompt->setState(m_state);
    QVERIFY2(text->text().contains(u"stopped"_s) && text->text().contains(u"Answer by"_s), qPrintable(text->text()));
    QVERIFY(text->text() != before);
    // No button moves while the person reaches for it.
    QTest::qWait(20);
    QCOMPARE(places(), placesBefore);
    // And nothing of what was chosen is lost.
    QCOMPARE(find<QComboBox>(u"durationCombo"_s)->currentIndex(), 3);
    QVERIFY(find<Countdown>(u"countdown"_s)->isHeld());
}

void TestPromptWindow::restingPointerDoesNotStop()
{
    ask({questionMap(1)});
    QTest::mouseMove(m_window, {10, 10});
    QTest::mouseMove(m_window, {30, 30});
    QVERIFY(!find<Countdown>(u"countdown"_s)->isHeld());
}

void TestPromptWindow::countdownCounts()
{
    QVariantMap question = questionMap(1);
    question.insert(u"expires"_s, m_now + 42'000'000);
    ask({question});
    auto *text = find<QLabel>(u"countdownText"_s);
    QVERIFY(text->text().contains(u"42"_s));
    m_now += 40'500'000;
    QTRY_VERIFY(text->text().contains(u"2 second"_s));
    m_now += 5'000'000;
    QTRY_VERIFY(text->text().contains(u"Time is up"_s));
    // The daemon decides, not the countdown.
    QCOMPARE(m_answers->size(), 0);
}

void TestPromptWindow::eachVerdict_data()
{
    QTest::addColumn<QString>("button");
    QTest::addColumn<Verdict>("verdict");
    QTest::newRow("block") << u"blockButton"_s << Verdict::Block;
    QTest::newRow("scrub") << u"scrubButton"_s << Verdict::Scrub;
    QTest::newRow("allow") << u"allowButton"_s << Verdict::Allow;
}

void TestPromptWindow::eachVerdict()
{
    QFETCH(QString, button);
    QFETCH(Verdict, verdict);
    ask({questionMap(1)});
    waitForGuard();
    QTest::mouseClick(find<QPushButton>(button), Qt::LeftButton);
    QCOMPARE(m_answers->size(), 1);
    QCOMPARE(answeredId(0), 1U);
    QCOMPARE(answer(0).verdict, verdict);
    QCOMPARE(answer(0).duration, Duration::Once);
    // One answer for one question.
    QTest::mouseClick(find<QPushButton>(button), Qt::LeftButton);
    QCOMPARE(m_answers->size(), 1);
    withdraw(1, WithdrawReason::Answered);
    QVERIFY(!m_window->isVisible());
}

void TestPromptWindow::quitFromMenu()
{
    ask({questionMap(1)});
    waitForGuard();
    m_window->findChild<QAction *>(u"quitAction"_s)->trigger();
    QCOMPARE(answer(0).verdict, Verdict::Quit);
}

void TestPromptWindow::takeoverFromMenu()
{
    ask({questionMap(1)});
    waitForGuard();
    auto *takeover = m_window->findChild<QAction *>(u"takeoverAction"_s);
    QVERIFY(takeover->toolTip().contains(u"What it saves from then on is scrubbed too"_s));
    auto *menu = find<QMenu>(u"moreMenu"_s);
    menu->popup(m_window->mapToGlobal(QPoint(0, 0)));
    QVERIFY(QTest::qWaitForWindowExposed(menu));
    QTest::keyClick(menu, Qt::Key_C);
    QCOMPARE(m_answers->size(), 1);
    QCOMPARE(answer(0).verdict, Verdict::Takeover);
    QCOMPARE(answer(0).duration, Duration::Once);
}

void TestPromptWindow::takeoverOnlyWherePossible()
{
    QVariantMap threads = questionMap(1);
    threads.insert(u"can_take_over"_s, false);
    ask({threads, questionMap(2)});
    auto *takeover = m_window->findChild<QAction *>(u"takeoverAction"_s);
    QVERIFY(!takeover->isEnabled());
    QVERIFY(takeover->toolTip().contains(u"several threads"_s));
    QVERIFY(m_window->findChild<QAction *>(u"quitAction"_s)->isEnabled());
    // One answer cannot be for both.
    QVERIFY(!find<QCheckBox>(u"similarCheck"_s)->isVisible());
    withdraw(1, WithdrawReason::Gone);
    QVERIFY(takeover->isEnabled());
}

void TestPromptWindow::tellsWhoReadTheFile_data()
{
    QTest::addColumn<QStringList>("chain");
    QTest::addColumn<QString>("text");
    QTest::newRow("itself") << QStringList() << QString();
    QTest::newRow("its parent, of the same name") << QStringList{u"curl"_s} << QString();
    QTest::newRow("another") << QStringList{u"cat"_s} << u"The file was read by cat."_s;
    QTest::newRow("through others") << QStringList{u"cat"_s, u"tar"_s, u"gzip"_s}
                                    << u"The file was read by cat; its data came through tar, gzip."_s;
    QTest::newRow("with a name that plays tricks") << QStringList{u"<b>a\n"_s} << u"The file was read by <b>a\uFFFD."_s;
}

void TestPromptWindow::tellsWhoReadTheFile()
{
    QFETCH(QStringList, chain);
    QFETCH(QString, text);
    QVariantMap map = questionMap(1);
    map.insert(u"chain"_s, chain);
    ask({map});
    QCOMPARE(find<QLabel>(u"factsText"_s)->text(), text);
    QCOMPARE(find<QLabel>(u"factsText"_s)->isVisible(), !text.isEmpty());
}

void TestPromptWindow::noRuleForAPrivateSession()
{
    QVariantMap inSession = questionMap(1);
    inSession.insert(u"in_session"_s, true);
    ask({inSession});
    waitForGuard();
    auto *durations = find<QComboBox>(u"durationCombo"_s);
    QCOMPARE(durations->count(), 2);
    choose(u"durationCombo"_s, 1);
    QVERIFY(!find<QComboBox>(u"subjectCombo"_s)->isVisible());
    QVERIFY(!find<QLabel>(u"ruleText"_s)->isVisible());
    QVERIFY(find<QLabel>(u"factsText"_s)->text().contains(u"nor your answer is kept"_s));
    QTest::mouseClick(find<QPushButton>(u"blockButton"_s), Qt::LeftButton);
    QCOMPARE(answer(0).duration, Duration::Process);

    withdraw(1, WithdrawReason::Answered);
    ask({questionMap(2)});
    QCOMPARE(durations->count(), 6);
    QVERIFY(!find<QLabel>(u"factsText"_s)->isVisible());
}

void TestPromptWindow::scopeOfRule()
{
    ask({questionMap(1)});
    waitForGuard();
    QVERIFY(!find<QComboBox>(u"subjectCombo"_s)->isVisible());
    choose(u"durationCombo"_s, 3);
    QVERIFY(find<QComboBox>(u"subjectCombo"_s)->isVisible());
    QTest::mouseClick(find<QPushButton>(u"blockButton"_s), Qt::LeftButton);
    const RuleScope narrow{SubjectKind::File, u"/home/anna/Documents/salaries.csv"_s, u"/usr/bin/curl"_s, u"remote.example"_s, 80};
    QCOMPARE(answer(0).duration, Duration::Hour);
    QCOMPARE(answer(0).scope, narrow);

    withdraw(1, WithdrawReason::Answered);
    ask({questionMap(2)});
    waitForGuard();
    choose(u"durationCombo"_s, 5);
    choose(u"subjectCombo"_s, 2);
    choose(u"appCombo"_s, 1);
    choose(u"hostCombo"_s, 2);
    QTest::mouseClick(find<QPushButton>(u"blockButton"_s), Qt::LeftButton);
    QCOMPARE(answer(1).scope, (RuleScope{SubjectKind::Label, u"finance"_s, {}, {}, 0}));
}

void TestPromptWindow::ruleForADestination_data()
{
    QTest::addColumn<QString>("sink");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QStringList>("offered");
    QTest::addColumn<QString>("host");
    QTest::newRow("device") << u"device"_s << u"/dev/ttyS0"_s << QStringList{u"/dev/ttyS0"_s} << u"/dev/ttyS0"_s;
    QTest::newRow("drive") << u"file"_s << u"/media/STICK/copy.csv"_s << QStringList{u"copy.csv"_s, u"/media/STICK"_s}
                           << u"/media/STICK/copy.csv"_s;
    QTest::newRow("other") << u"other"_s << u"socket:[7]"_s << QStringList{u"cannot be followed"_s} << QString();
}

// The person was asked about one destination: the rule is never about any.
void TestPromptWindow::ruleForADestination()
{
    QFETCH(QString, sink);
    QFETCH(QString, target);
    QFETCH(QStringList, offered);
    QFETCH(QString, host);
    QVariantMap question = questionMap(1);
    question.insert(u"sink"_s, sink);
    question.insert(u"target"_s, target);
    question.insert(u"host"_s, QString());
    question.insert(u"address"_s, QString());
    question.insert(u"port"_s, QVariant::fromValue(quint16(0)));
    ask({question});
    waitForGuard();
    choose(u"durationCombo"_s, 5);
    auto *hosts = find<QComboBox>(u"hostCombo"_s);
    QVERIFY(hosts->isVisible());
    QCOMPARE(hosts->count(), offered.size());
    for (int index = 0; index < hosts->count(); ++index)
        QVERIFY2(hosts->itemText(index).contains(offered.at(index)), qPrintable(hosts->itemText(index)));
    QVERIFY(!find<QLabel>(u"ruleText"_s)->text().contains(u"any host"_s));
    QTest::mouseClick(find<QPushButton>(u"allowButton"_s), Qt::LeftButton);
    QCOMPARE(answer(0).scope.toMap().value(u"sink"_s).toString(), sink);
    QCOMPARE(answer(0).scope.host, host);
    QCOMPARE(answer(0).scope.port, 0);
}

void TestPromptWindow::ruleInWords()
{
    ask({questionMap(1)});
    waitForGuard();
    auto *words = find<QLabel>(u"ruleText"_s);
    QVERIFY(!words->isVisible());
    choose(u"durationCombo"_s, 4);
    choose(u"subjectCombo"_s, 1);
    QVERIFY(words->isVisible());
    QVERIFY(words->text().contains(u"/home/anna/Documents</b>"_s));
    QVERIFY(words->text().contains(u"until the computer restarts"_s));
    const QPoint blockPosition = find<QPushButton>(u"blockButton"_s)->pos();
    find<QPushButton>(u"allowButton"_s)->setFocus();
    QEvent enter(QEvent::Enter);
    QCoreApplication::sendEvent(find<QPushButton>(u"allowButton"_s), &enter);
    QVERIFY(words->text().startsWith(u"Allow"_s));
    // Nothing moves under the pointer when the words change.
    QCOMPARE(find<QPushButton>(u"blockButton"_s)->pos(), blockPosition);
}

void TestPromptWindow::durationIsRemembered()
{
    ask({questionMap(1)});
    waitForGuard();
    choose(u"durationCombo"_s, 2);
    QTest::mouseClick(find<QPushButton>(u"scrubButton"_s), Qt::LeftButton);
    withdraw(1, WithdrawReason::Answered);
    ask({questionMap(2)});
    QCOMPARE(find<QComboBox>(u"durationCombo"_s)->currentIndex(), 2);
    QVERIFY(find<QPushButton>(u"blockButton"_s)->isDefault());
}

void TestPromptWindow::allowIsNotRemembered()
{
    ask({questionMap(1)});
    waitForGuard();
    choose(u"durationCombo"_s, 5);
    QTest::mouseClick(find<QPushButton>(u"allowButton"_s), Qt::LeftButton);
    withdraw(1, WithdrawReason::Answered);
    ask({questionMap(2)});
    QCOMPARE(find<QComboBox>(u"durationCombo"_s)->currentIndex(), 0);
}

void TestPromptWindow::taintedHasNoScrubbedCopy()
{
    QVariantMap question = questionMap(1);
    question.insert(u"tainted"_s, true);
    ask({question});
    QVERIFY(!find<QPushButton>(u"scrubButton"_s)->isEnabled());
    QVERIFY(find<QLabel>(u"sentenceText"_s)->text().contains(u"may be derived"_s));
    QVERIFY(find<QLabel>(u"factsText"_s)->isVisible());
}

void TestPromptWindow::changeIsAllowedOrBlocked()
{
    QVariantMap question = questionMap(1);
    question.insert(u"sink"_s, u"marked"_s);
    question.insert(u"host"_s, QString());
    ask({question});
    QVERIFY(!find<QPushButton>(u"scrubButton"_s)->isVisible());
    QVERIFY(find<QLabel>(u"sentenceText"_s)->text().contains(u"is about to change"_s));
    QVERIFY(m_window->windowTitle().contains(u"change"_s));
    find<QPushButton>(u"detailsButton"_s)->click();
    QVERIFY(!find<QLineEdit>(u"destinationText"_s)->isVisible());
    auto *duration = find<QComboBox>(u"durationCombo"_s);
    duration->setCurrentIndex(duration->findData(QVariant::fromValue(Duration::Always)));
    QVERIFY(find<QComboBox>(u"appCombo"_s)->isVisible());
    QVERIFY(!find<QComboBox>(u"hostCombo"_s)->isVisible());
    // "changes", or where a button has the focus, "change" or "changing".
    QVERIFY(find<QLabel>(u"ruleText"_s)->text().contains(u"chang"_s));
    waitForGuard();
    find<QPushButton>(u"allowButton"_s)->click();
    QCOMPARE(m_answers->size(), 1);
    const auto answer = m_answers->first().at(1).value<Answer>();
    QVERIFY(answer.scope.isChange() && answer.scope.host.isEmpty() && answer.scope.port == 0);
    // The next one is about sending again.
    withdraw(1, WithdrawReason::Answered);
    ask({questionMap(2)});
    QVERIFY(find<QPushButton>(u"scrubButton"_s)->isVisible());
}

void TestPromptWindow::newSimilarUnticks()
{
    ask({questionMap(1), questionMap(2)});
    waitForGuard();
    auto *similar = find<QCheckBox>(u"similarCheck"_s);
    similar->setChecked(true);
    ask({questionMap(3, u"/home/anna/secret"_s)});
    QVERIFY(!similar->isChecked());
    QVERIFY(similar->text().contains(u"2"_s));
    // And a click that was on its way is not taken.
    QTest::mouseClick(find<QPushButton>(u"allowButton"_s), Qt::LeftButton);
    QCOMPARE(m_answers->size(), 0);
}

void TestPromptWindow::expiredWhileReadingOffersRule()
{
    QSignalSpy rules(m_prompt.get(), &Prompt::ruleChosen);
    ask({questionMap(1)});
    activate();
    withdraw(1, WithdrawReason::Expired);
    QVERIFY(m_window->isVisible());
    QVERIFY2(m_window->windowTitle().contains(u"Nobody answered in time"_s), qPrintable(m_window->windowTitle()));
    for (const QString &name : {u"blockButton"_s, u"scrubButton"_s, u"allowButton"_s})
        QVERIFY(find<QPushButton>(name)->text().startsWith(u"Next time"_s));
    QVERIFY(find<QLabel>(u"sentenceText"_s)->text().contains(u"was blocked"_s));
    QVERIFY(!m_window->findChild<QAction *>(u"takeoverAction"_s)->isEnabled());
    QVERIFY(find<QComboBox>(u"durationCombo"_s)->findData(QVariant::fromValue(Duration::Once)) < 0);
    waitForGuard();
    QTest::mouseClick(find<QPushButton>(u"scrubButton"_s), Qt::LeftButton);
    QCOMPARE(m_answers->size(), 0);
    QCOMPARE(rules.size(), 1);
    QCOMPARE(rules.first().first().value<RuleDraft>().verdict, Verdict::Scrub);
    QVERIFY(!m_window->isVisible());
}

void TestPromptWindow::expiredIsDismissed_data()
{
    QTest::addColumn<QString>("focus");
    QTest::addColumn<Qt::Key>("key");
    for (const char *focus : {"dismissButton", "blockButton", "allowButton", "durationCombo"}) {
        QTest::addRow("Enter %s", focus) << QString::fromLatin1(focus) << Qt::Key_Return;
        QTest::addRow("Esc %s", focus) << QString::fromLatin1(focus) << Qt::Key_Escape;
    }
}

// Enter must not make the rule "block, always" of a question that is over.
void TestPromptWindow::expiredIsDismissed()
{
    QFETCH(QString, focus);
    QFETCH(Qt::Key, key);
    QSignalSpy rules(m_prompt.get(), &Prompt::ruleChosen);
    ask({questionMap(1)});
    activate();
    withdraw(1, WithdrawReason::Expired);
    auto *dismiss = find<QPushButton>(u"dismissButton"_s);
    QVERIFY(dismiss->isVisible() && dismiss->isDefault() && dismiss->hasFocus());
    waitForGuard();
    auto *widget = find<QWidget>(focus);
    widget->setFocus();
    QTest::keyClick(widget, key);
    QVERIFY(!m_window->isVisible());
    QCOMPARE(rules.size(), 0);
    QCOMPARE(m_answers->size(), 0);
    // The next question is an ordinary one.
    ask({questionMap(2)});
    QVERIFY(!dismiss->isVisible() && find<QPushButton>(u"blockButton"_s)->isDefault());
    QCOMPARE(find<QPushButton>(u"blockButton"_s)->text(), u"&Block"_s);
}

void TestPromptWindow::failureIsShownAndCanBeRepeated()
{
    ask({questionMap(1)});
    waitForGuard();
    QTest::mouseClick(find<QPushButton>(u"allowButton"_s), Qt::LeftButton);
    m_prompt->onAnswerFailed(1, {u"org.freedesktop.DBus.Error.AccessDenied"_s, {}});
    QVERIFY(find<QLabel>(u"errorText"_s)->isVisible());
    QTest::mouseClick(find<QPushButton>(u"blockButton"_s), Qt::LeftButton);
    QCOMPARE(m_answers->size(), 2);
}

void TestPromptWindow::changedBinaryWarns()
{
    QVariantMap question = questionMap(1);
    question.insert(u"binary_changed"_s, true);
    ask({question});
    QVERIFY(find<QLabel>(u"warningText"_s)->isVisible());
}

void TestPromptWindow::everyControlIsNamed()
{
    ask({questionMap(1), questionMap(2)});
    find<QPushButton>(u"detailsButton"_s)->setChecked(true);
    const auto widgets = m_window->findChildren<QWidget *>();
    for (const QWidget *widget : widgets) {
        const bool control = widget->focusPolicy() != Qt::NoFocus && !widget->objectName().startsWith(u"qt_"_s);
        if (!control || widget->parentWidget()->inherits("QComboBox") || widget->inherits("QMenu") || widget->window() != m_window) {
            continue;
        }
        QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
        QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
        QVERIFY2(interface && !interface->text(QAccessible::Name).isEmpty(), qPrintable(widget->objectName()));
    }
}

void TestPromptWindow::closingAnswersNothing()
{
    ask({questionMap(1)});
    waitForGuard();
    m_window->close();
    QCOMPARE(m_answers->size(), 0);
    m_prompt->showOnDemand(1);
    QVERIFY(m_window->isVisible());
}

QTEST_MAIN(TestPromptWindow)
#include "tst_prompt_window.moc"
