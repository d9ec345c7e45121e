// SPDX-License-Identifier: GPL-3.0-or-later
// Data from the daemon is checked: wrong types and missing keys make no value, too much is cut off.
#include "base/daemonstate.h"
#include "base/fields.h"
#include "base/labelledfile.h"
#include "base/logentry.h"
#include "fakedaemon.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace Tacet;

class TestParsing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void question();
    void questionRejected_data();
    void questionRejected();
    void questionWithoutOptionalKeys();
    void questionBounds();
    void similarity();
    void rule();
    void ruleRejected_data();
    void ruleRejected();
    void ruleRoundTrip();
    void logEntry();
    void labelledFile();
    void protection();
};

void TestParsing::question()
{
    const auto question = Question::parse(questionMap(7));
    QVERIFY(question);
    QCOMPARE(question->id, 7U);
    QCOMPARE(question->appName(), u"curl"_s);
    QCOMPARE(question->port, 80);
    QCOMPARE(question->sink, Sink::Network);
    QCOMPARE(question->categories, QStringList{u"finance"_s});
    QVERIFY(question->canSendScrubbed());
    QVERIFY(question->canTakeOver);
}

void TestParsing::questionRejected_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QVariant>("value");
    QTest::newRow("id is 0") << u"id"_s << QVariant(quint64(0));
    QTest::newRow("unknown sink") << u"sink"_s << QVariant(u"pigeon"_s);
    QTest::newRow("id of another type") << u"id"_s << QVariant(7U);
    QTest::newRow("no id") << u"id"_s << QVariant();
    QTest::newRow("no deadline") << u"expires"_s << QVariant();
    QTest::newRow("no executable") << u"executable"_s << QVariant();
    QTest::newRow("executable of another type") << u"executable"_s << QVariant(QByteArray("/usr/bin/curl"));
    QTest::newRow("port too wide") << u"port"_s << QVariant(80U);
    QTest::newRow("tainted is text") << u"tainted"_s << QVariant(u"no"_s);
    QTest::newRow("takeover is a number") << u"can_take_over"_s << QVariant(1U);
    QTest::newRow("unknown sink") << u"sink"_s << QVariant(u"pigeon"_s);
    QTest::newRow("preview is text") << u"preview"_s << QVariant(u"abc"_s);
    QTest::newRow("more equal than all calls") << u"calls_equal"_s << QVariant(quint64(9999));
}

void TestParsing::questionRejected()
{
    QFETCH(QString, key);
    QFETCH(QVariant, value);
    QVariantMap map = questionMap(7);
    if (value.isValid())
        map.insert(key, value);
    else
        map.remove(key);
    QVERIFY(!Question::parse(map));
}

void TestParsing::questionWithoutOptionalKeys()
{
    const QVariantMap map{{u"id"_s, quint64(1)},        {u"expires"_s, quint64(1)}, {u"pid"_s, 1U},
                          {u"executable"_s, QString()}, {u"comm"_s, u"sh"_s},       {u"sink"_s, u"other"_s}};
    const auto question = Question::parse(map);
    QVERIFY(question);
    QCOMPARE(question->appName(), u"sh"_s);
    QVERIFY(!question->canTakeOver);
    QVERIFY(!Question::parse({}));
}

void TestParsing::questionBounds()
{
    QVariantMap map = questionMap(7);
    map.insert(u"preview"_s, QByteArray(1'000'000, 'x'));
    map.insert(u"executable"_s, QString(100'000, u'a'));
    map.insert(u"command"_s, QStringList(10'000, u"a"_s));
    const auto question = Question::parse(map);
    QVERIFY(question);
    QCOMPARE(question->preview.size(), Fields::maximumBytes);
    QCOMPARE(question->executable.size(), Fields::maximumText);
    QCOMPARE(question->command.size(), Fields::maximumList);
}

void TestParsing::similarity()
{
    const auto first = Question::parse(questionMap(1));
    const auto second = Question::parse(questionMap(2, u"/home/anna/other.csv"_s));
    QVERIFY(first->isSimilarTo(*second));
    QVERIFY(!first->isSimilarTo(*first));
    QVariantMap map = questionMap(3);
    map.insert(u"executable"_s, u"/tmp/curl"_s);
    QVERIFY(!first->isSimilarTo(*Question::parse(map)));
    map = questionMap(3);
    map.insert(u"tainted"_s, true);
    QVERIFY(!first->isSimilarTo(*Question::parse(map)));
    map = questionMap(3);
    map.insert(u"can_take_over"_s, false);
    QVERIFY(!first->isSimilarTo(*Question::parse(map)));
    map = questionMap(3);
    map.insert(u"in_session"_s, true);
    QVERIFY(!first->isSimilarTo(*Question::parse(map)));
}

namespace {

QVariantMap ruleMap()
{
    return {{u"id"_s, quint64(3)},        {u"verdict"_s, u"block"_s},          {u"subject_kind"_s, u"label"_s},
            {u"subject"_s, u"finance"_s}, {u"executable"_s, u"/usr/bin/nc"_s}, {u"sink"_s, u"device"_s},
            {u"host"_s, u"/dev/ttyS0"_s}, {u"duration"_s, u"always"_s},        {u"hits"_s, quint64(2)}};
}

} // namespace

void TestParsing::rule()
{
    const auto rule = Rule::parse(ruleMap());
    QVERIFY(rule);
    QCOMPARE(rule->draft.scope.subjectKind, SubjectKind::Label);
    QVERIFY(!rule->expires.isValid());
}

void TestParsing::ruleRejected_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QVariant>("value");
    QTest::newRow("unknown verdict") << u"verdict"_s << QVariant(u"maybe"_s);
    QTest::newRow("unknown duration") << u"duration"_s << QVariant(u"2h"_s);
    QTest::newRow("unknown kind") << u"subject_kind"_s << QVariant(u"planet"_s);
    QTest::newRow("id of another type") << u"id"_s << QVariant(u"3"_s);
}

void TestParsing::ruleRejected()
{
    QFETCH(QString, key);
    QFETCH(QVariant, value);
    QVariantMap map = ruleMap();
    map.insert(key, value);
    QVERIFY(!Rule::parse(map));
}

void TestParsing::ruleRoundTrip()
{
    const auto rule = Rule::parse(ruleMap());
    QVariantMap map = rule->draft.toMap();
    map.insert(u"id"_s, quint64(3));
    QCOMPARE(Rule::parse(map)->draft, rule->draft);
}

void TestParsing::logEntry()
{
    QVariantMap map{{u"id"_s, quint64(1)}, {u"time"_s, quint64(1'790'000'000)}, {u"kind"_s, u"answered"_s}, {u"verdict"_s, u"allow"_s}};
    QCOMPARE(LogEntry::parse(map)->verdict, Verdict::Allow);
    map.insert(u"verdict"_s, u"takeover"_s);
    QCOMPARE(LogEntry::parse(map)->verdict, Verdict::Takeover);
    map.insert(u"kind"_s, u"invented-later"_s);
    QCOMPARE(LogEntry::parse(map)->kind, LogKind::Other);
    map.insert(u"time"_s, ~quint64(0));
    QVERIFY(!LogEntry::parse(map)->time.isValid());
    map.remove(u"time"_s);
    QVERIFY(!LogEntry::parse(map));
}

void TestParsing::labelledFile()
{
    QVERIFY(LabelledFile::parse({{u"path"_s, u"/home/anna/a"_s}}));
    QVERIFY(!LabelledFile::parse({{u"path"_s, u"a"_s}}));
    QVERIFY(!LabelledFile::parse({{u"path"_s, u"/a"_s}, {u"derived"_s, 1}}));
}

void TestParsing::protection()
{
    QVERIFY(Protection::parse({{u"name"_s, u"labels"_s}, {u"enforced"_s, true}}));
    QVERIFY(!Protection::parse({{u"name"_s, u"labels"_s}}));
}

QTEST_GUILESS_MAIN(TestParsing)
#include "tst_parsing.moc"
