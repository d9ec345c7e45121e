// SPDX-License-Identifier: GPL-3.0-or-later
// Rules, questions and conditions as sentences; and text from outside, which must not change the sentence around it.
#include "base/questionwords.h"
#include "base/rulewords.h"
#include "base/statuswords.h"
#include "base/untrusted.h"
#include "base/words.h"
#include "fakedaemon.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace Tacet;

class TestWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ruleSentences_data();
    void ruleSentences();
    void ruleExpiry();
    void richRuleIsEscaped();
    void questionSentence();
    void taintedQuestion();
    void sentenceWithoutFile();
    void destinations();
    void likeness();
    void untrusted_data();
    void untrusted();
    void pathsAmongRightToLeftWords();
    void command();
    void placeholdersInNames();
    void conditions();
    void errors();
};

void TestWords::ruleSentences_data()
{
    QTest::addColumn<RuleDraft>("draft");
    QTest::addColumn<QString>("sentence");
    const RuleScope all{SubjectKind::File, u"/srv/pay.csv"_s, u"/usr/bin/curl"_s, u"remote"_s, 443};
    QTest::newRow("block") << RuleDraft{Verdict::Block, Duration::Always, all}
                           << u"Block curl from sending data from /srv/pay.csv to remote, port 443: always."_s;
    QTest::newRow("allow label") << RuleDraft{Verdict::Allow, Duration::Hour, {SubjectKind::Label, u"keys"_s, {}, u"a"_s, 0}}
                                 << u"Allow any app to send data of the category “Keys and passwords” to a: for 1 hour."_s;
    QTest::newRow("scrub any") << RuleDraft{Verdict::Scrub, Duration::Reboot, {}}
                               << u"When any app sends any sensitive data to any host, send the scrubbed copy instead: "
                                  "until the computer restarts."_s;
    QTest::newRow("takeover") << RuleDraft{Verdict::Takeover, Duration::Always, {SubjectKind::Any, {}, u"/usr/bin/curl"_s, {}, 0}}
                              << u"Continue curl on scrubbed data when it is about to send any sensitive data to any host: always."_s;
    const RuleScope change{SubjectKind::Label, u"finance"_s, u"/usr/bin/soffice"_s, {}, 0, Sink::Marked};
    QTest::newRow("allow change") << RuleDraft{Verdict::Allow, Duration::Always, change}
                                  << u"Allow soffice to change files of the category “Finance”: always."_s;
    QTest::newRow("device") << RuleDraft{Verdict::Allow, Duration::Always, {SubjectKind::Any, {}, {}, u"/dev/ttyS0"_s, 0, Sink::Device}}
                            << u"Allow any app to send any sensitive data to the device /dev/ttyS0: always."_s;
    QTest::newRow("drive") << RuleDraft{Verdict::Allow, Duration::Always, {SubjectKind::Any, {}, {}, u"/media/stick"_s, 0, Sink::File}}
                           << u"Allow any app to send any sensitive data to the file or folder /media/stick: always."_s;
    QTest::newRow("other") << RuleDraft{Verdict::Block, Duration::Always, {SubjectKind::Any, {}, {}, {}, 0, Sink::Other}}
                           << u"Block any app from sending any sensitive data to any connection that cannot be followed: always."_s;
    QTest::newRow("quit folder") << RuleDraft{Verdict::Quit, Duration::Minutes15, {SubjectKind::Folder, u"/srv"_s, u"/bin/nc"_s, {}, 9}}
                                 << u"Quit nc when it is about to send data from files in /srv to port 9 of any host: "
                                    "for 15 minutes."_s;
}

void TestWords::ruleSentences()
{
    QFETCH(RuleDraft, draft);
    QFETCH(QString, sentence);
    QCOMPARE(RuleWords::sentence(draft, RuleWords::Plain), sentence);
}

void TestWords::ruleExpiry()
{
    Rule rule;
    rule.draft.duration = Duration::Process;
    rule.pid = 4711;
    QVERIFY(RuleWords::sentence(rule, RuleWords::Plain).endsWith(u": until process 4711 quits."_s));
    rule.draft.duration = Duration::Hour;
    rule.expires = QDateTime(QDate(2020, 1, 2), QTime(3, 4));
    QVERIFY(RuleWords::sentence(rule, RuleWords::Plain).contains(Words::dateAndTime(rule.expires)));
}

void TestWords::richRuleIsEscaped()
{
    const RuleDraft draft{Verdict::Block, Duration::Always, {SubjectKind::File, u"/a<b>&c"_s, u"/x/<i>"_s, u"<u>"_s, 0}};
    const QString rich = RuleWords::sentence(draft, RuleWords::Rich);
    QVERIFY(rich.contains(u"&lt;i&gt;"_s));
    QVERIFY(rich.contains(u"/a&lt;b&gt;&amp;c"_s));
    QVERIFY(!rich.contains(u"<i>"_s) && !rich.contains(u"<u>"_s));
}

void TestWords::questionSentence()
{
    const QString sentence = QuestionWords::sentence(*Question::parse(questionMap(1)));
    QVERIFY(sentence.contains(u"<b>curl</b>"_s));
    QVERIFY(sentence.contains(u"(started by <i>qterminal</i>)"_s));
    QVERIFY(sentence.contains(u"derived from"_s));
    QVERIFY(sentence.contains(u"salaries.csv</b>"_s));
    QVERIFY(sentence.contains(u"<b>remote.example:80</b>"_s));
}

void TestWords::taintedQuestion()
{
    QVariantMap map = questionMap(1);
    map.insert(u"tainted"_s, true);
    const auto question = Question::parse(map);
    QVERIFY(QuestionWords::sentence(*question).contains(u"may be derived"_s));
    QVERIFY(QuestionWords::likeness(*question).startsWith(u"Not sure"_s));
    QVERIFY(!question->canSendScrubbed());
}

void TestWords::sentenceWithoutFile()
{
    const QString sentence = QuestionWords::sentenceWithoutFile(*Question::parse(questionMap(1)));
    QVERIFY(!sentence.contains(u"salaries"_s) && !sentence.contains(u"anna"_s));
    QVERIFY(sentence.contains(u"curl"_s));
}

void TestWords::destinations()
{
    Question question = *Question::parse(questionMap(1));
    question.host = u"2001:db8::1"_s;
    QCOMPARE(QuestionWords::destination(question), u"[2001:db8::1]:80"_s);
    question.sink = Sink::Device;
    question.target = u"/dev/ttyS0"_s;
    QCOMPARE(QuestionWords::destination(question), u"/dev/ttyS0"_s);
}

void TestWords::likeness()
{
    Question question = *Question::parse(questionMap(1));
    QVERIFY(QuestionWords::likeness(question).startsWith(u"Very sure"_s));
    question.callsEqual = question.callsTotal / 3;
    QVERIFY(QuestionWords::likeness(question).startsWith(u"Not sure"_s));
    question.callsTotal = 0;
    QVERIFY(!QuestionWords::likeness(question).isEmpty());
}

void TestWords::untrusted_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shownText");
    const QChar bad = QChar::ReplacementCharacter;
    QTest::newRow("plain") << u"curl"_s << u"curl"_s;
    QTest::newRow("line break") << u"a\nb"_s << u"a%1b"_s.arg(bad);
    QTest::newRow("right-to-left override") << u"exe\u202Efdp.x"_s << u"exe%1fdp.x"_s.arg(bad);
    QTest::newRow("isolate") << u"\u2066a\u2069"_s << u"%1a%1"_s.arg(bad);
    QTest::newRow("zero width") << u"re\u200Bmote"_s << u"re%1mote"_s.arg(bad);
    QTest::newRow("line separator") << u"a\u2028b"_s << u"a%1b"_s.arg(bad);
    QTest::newRow("lone surrogate") << QString(QChar(0xd800)) << QString(bad);
    QTest::newRow("other scripts stay") << u"отчёт-報告.csv"_s << u"отчёт-報告.csv"_s;
}

void TestWords::untrusted()
{
    QFETCH(QString, text);
    QFETCH(QString, shownText);
    QCOMPARE(shown(text), shownText);
    QCOMPARE(shown(QString(500, u'a') + u"end.csv"_s, 20).size(), 20);
    QVERIFY(shown(QString(500, u'a') + u"end.csv"_s, 20).endsWith(u"end.csv"_s));
}

void TestWords::pathsAmongRightToLeftWords()
{
    QCOMPARE(shownPath(u"/srv/a"_s), u"/srv/a"_s);
    QLocale::setDefault(QLocale(QLocale::Arabic));
    QCOMPARE(shownPath(u"/srv/a"_s), u"\u2066/srv/a\u2069"_s);
    QLocale::setDefault(QLocale::c());
}

void TestWords::command()
{
    QCOMPARE(shownCommand({u"sh"_s, u"-c"_s, u"echo it's"_s, QString()}), u"sh -c 'echo it'\\''s' ''"_s);
}

// A file named "%2" must not become the host's name.
void TestWords::placeholdersInNames()
{
    const QString sentence = QuestionWords::sentence(*Question::parse(questionMap(1, u"/srv/%2 %3 %1"_s)));
    QVERIFY(sentence.contains(u"/srv/%2 %3 %1</b>"_s));
    QCOMPARE(sentence.count(u"remote.example"_s), 1);
}

void TestWords::conditions()
{
    DaemonState state;
    QCOMPARE(conditionOf(state), Condition::Connecting);
    for (const Connection connection : {Connection::Absent, Connection::Denied, Connection::Mismatch}) {
        state.connection = connection;
        QVERIFY(!StatusWords::title(state).isEmpty());
        QVERIFY(!StatusWords::consequence(state).isEmpty());
        QVERIFY(!StatusWords::remedy(state).isEmpty());
    }
    state.connection = Connection::Ready;
    for (const ModuleState module : {ModuleState::Absent, ModuleState::Busy, ModuleState::Mismatch}) {
        state.module = module;
        QCOMPARE(conditionOf(state), Condition::ModuleAbsent);
        QVERIFY(!StatusWords::consequence(state).isEmpty());
        QVERIFY(!StatusWords::remedy(state).isEmpty());
    }
    state.module = ModuleState::Active;
    QCOMPARE(conditionOf(state), Condition::Unasked);
    state.agentRegistered = true;
    QCOMPARE(conditionOf(state), Condition::Protected);
    state.protections = {{u"interposition"_s, true, {}, {}}, {u"swap"_s, false, {}, {}}};
    QCOMPARE(conditionOf(state), Condition::Partial);
    QVERIFY(StatusWords::title(state).startsWith(u"Protected in part"_s));
    state.sessions.append(PrivateSession());
    QCOMPARE(conditionOf(state), Condition::Partial);
    QVERIFY(StatusWords::title(state).contains(u"1 private session"_s));
    state.pausedUntil = QDateTime::currentDateTime().addSecs(60);
    QCOMPARE(conditionOf(state), Condition::Paused);
    state.questions.append(*Question::parse(questionMap(1)));
    QCOMPARE(conditionOf(state), Condition::Question);
}

void TestWords::errors()
{
    QCOMPARE(Words::error(u"org.tacet.Error.NoSuchQuestion"_s, u"x"_s), u"This question is no longer open."_s);
    QCOMPARE(Words::error(u"org.tacet.Error.New"_s, u"Disk full"_s), u"Disk full"_s);
    QVERIFY(Words::error(u"org.tacet.Error.New"_s, {}).contains(u"org.tacet.Error.New"_s));
}

QTEST_GUILESS_MAIN(TestWords)
#include "tst_words.moc"
