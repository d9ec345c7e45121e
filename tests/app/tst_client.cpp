// SPDX-License-Identifier: GPL-3.0-or-later
// DaemonClient against a fake daemon on a private bus: coming, going, refusing, misbehaving.
#include "base/daemonclient.h"
#include "base/statuswords.h"
#include "fakedaemon.h"

#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QDBusVirtualObject>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace Qt::StringLiterals;
using namespace Tacet;

// As the bus or polkit answers a session that may not use Tacet.
class DenyingDaemon : public QDBusVirtualObject
{
public:
    QString introspect(const QString &) const override { return {}; }
    bool handleMessage(const QDBusMessage &message, const QDBusConnection &connection) override
    {
        return connection.send(message.createErrorReply(QDBusError::AccessDenied, u"no"_s));
    }
};

class TestClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void daemonAbsent();
    void becomesReady();
    void otherContract();
    void denied();
    void moduleAndPause();
    void agentRefusedIsTriedAgain();
    void asksAndWithdraws();
    void daemonDiesDuringQuestion();
    void registersAgainAfterRestart();
    void openQuestionsAreAskedAtRegistration();
    void openQuestionsAreAskedAgainAfterRestart();
    void questionAskedAgainReplaces();
    void tooManyAgentsIsTold();
    void strangerCannotAsk();
    void badQuestionIsDropped();
    void answers();
    void extends();
    void answerIsTooLate();
    void answerFails();
    void rules();
    void changedRuleIsNeverAbsent();
    void labels();
    void memory();
    void filesInPages();
    void log();
    void failureIsReported();

private:
    void connectClient();
    bool waitFor(Connection connection);

    std::unique_ptr<FakeDaemon> m_daemon;
    std::unique_ptr<DaemonClient> m_client;
    QString m_connectionName;
    int m_count = 0;
};

void TestClient::init()
{
    m_daemon = std::make_unique<FakeDaemon>();
    m_connectionName = u"client-%1"_s.arg(++m_count);
}

void TestClient::cleanup()
{
    m_client.reset();
    QDBusConnection::disconnectFromBus(m_connectionName);
    m_daemon.reset();
}

void TestClient::connectClient()
{
    m_client = std::make_unique<DaemonClient>(QDBusConnection::connectToBus(QDBusConnection::SessionBus, m_connectionName));
    m_client->connectToDaemon();
}

bool TestClient::waitFor(Connection connection)
{
    return QTest::qWaitFor([this, connection] {
        return m_client->state().connection == connection && (connection != Connection::Ready || m_client->state().agentRegistered);
    });
}

void TestClient::daemonAbsent()
{
    connectClient();
    QCOMPARE(m_client->state().connection, Connection::Connecting);
    QVERIFY(waitFor(Connection::Absent));
    // It is noticed when it comes.
    QVERIFY(m_daemon->start());
    QVERIFY(waitFor(Connection::Ready));
}

void TestClient::becomesReady()
{
    QVERIFY(m_daemon->start());
    m_daemon->setList(u"protections"_s, {{{u"name"_s, u"labels"_s}, {u"enforced"_s, true}, {u"by"_s, u"tacet.ko"_s}}});
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    QCOMPARE(m_client->state().version, u"0.1.0-fake"_s);
    QCOMPARE(m_client->state().module, ModuleState::Active);
    QTRY_COMPARE(m_client->state().protections.size(), 1);
}

void TestClient::otherContract()
{
    QVERIFY(m_daemon->start());
    m_daemon->setProperty(u"Contract"_s, 2U);
    connectClient();
    QVERIFY(waitFor(Connection::Mismatch));
    QCOMPARE(m_client->state().contract, 2U);
    // Nothing else is said to a daemon that may understand something else by it.
    QTest::qWait(50);
    QVERIFY(m_daemon->callsOf(u"Breaches.RegisterAgent"_s).isEmpty());
    m_daemon->setProperty(u"Contract"_s, 1U);
    QVERIFY(waitFor(Connection::Ready));
    // An update of the daemon under a running window program.
    m_daemon->setProperty(u"Contract"_s, u"new"_s);
    QVERIFY(waitFor(Connection::Mismatch));
}

void TestClient::denied()
{
    DenyingDaemon denying;
    auto bus = QDBusConnection::connectToBus(QDBusConnection::SessionBus, u"denying"_s);
    QVERIFY(bus.registerVirtualObject(u"/org/tacet/Tacet1"_s, &denying));
    QVERIFY(bus.registerService(u"org.tacet.Tacet1"_s));
    connectClient();
    QVERIFY(waitFor(Connection::Denied));
    QVERIFY(bus.unregisterService(u"org.tacet.Tacet1"_s));
    QVERIFY(waitFor(Connection::Absent));
    QDBusConnection::disconnectFromBus(u"denying"_s);
}

void TestClient::moduleAndPause()
{
    QVERIFY(m_daemon->start());
    m_daemon->setProperty(u"Module"_s, u"absent"_s);
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    QCOMPARE(m_client->state().module, ModuleState::Absent);
    m_daemon->setProperty(u"Module"_s, u"active"_s);
    QTRY_COMPARE(m_client->state().module, ModuleState::Active);
    m_client->pause(5);
    QTRY_VERIFY(m_client->state().isPaused());
    m_client->resume();
    QTRY_VERIFY(!m_client->state().isPaused());
}

void TestClient::agentRefusedIsTriedAgain()
{
    QVERIFY(m_daemon->start());
    m_daemon->refuse(u"Breaches.RegisterAgent"_s, u"org.freedesktop.DBus.Error.AccessDenied"_s);
    connectClient();
    QTRY_COMPARE(m_daemon->callsOf(u"Breaches.RegisterAgent"_s).size(), 1);
    QVERIFY(!m_client->state().agentRegistered);
    auto *retry = m_client->findChild<QTimer *>();
    QTRY_VERIFY(retry && retry->isActive());
    m_daemon->refuse(u"Breaches.RegisterAgent"_s, {});
    retry->setInterval(0);
    QVERIFY(waitFor(Connection::Ready));
}

void TestClient::asksAndWithdraws()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    QSignalSpy asked(m_client.get(), &DaemonClient::questionAsked);
    QSignalSpy withdrawn(m_client.get(), &DaemonClient::questionWithdrawn);
    m_daemon->ask(questionMap(5));
    QTRY_COMPARE(asked.size(), 1);
    QCOMPARE(m_client->state().questions.size(), 1);
    m_daemon->withdraw(5, u"expired"_s);
    QTRY_COMPARE(withdrawn.size(), 1);
    QCOMPARE(withdrawn.first().at(1).value<WithdrawReason>(), WithdrawReason::Expired);
    QVERIFY(m_client->state().questions.isEmpty());
}

void TestClient::daemonDiesDuringQuestion()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    m_daemon->ask(questionMap(5));
    QTRY_COMPARE(m_client->state().questions.size(), 1);
    QSignalSpy withdrawn(m_client.get(), &DaemonClient::questionWithdrawn);
    m_daemon->kill();
    QVERIFY(waitFor(Connection::Absent));
    QCOMPARE(withdrawn.size(), 1);
    QVERIFY(m_client->state().questions.isEmpty());
    QVERIFY(!m_client->state().agentRegistered);
}

void TestClient::registersAgainAfterRestart()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    m_daemon->kill();
    QVERIFY(waitFor(Connection::Absent));
    QVERIFY(m_daemon->start());
    QVERIFY(waitFor(Connection::Ready));
    QCOMPARE(m_daemon->callsOf(u"Breaches.RegisterAgent"_s).size(), 1);
    m_daemon->ask(questionMap(6));
    QTRY_COMPARE(m_client->state().questions.size(), 1);
}

void TestClient::openQuestionsAreAskedAtRegistration()
{
    QVERIFY(m_daemon->start());
    m_daemon->setList(u"questions"_s, {questionMap(1), questionMap(2)});
    connectClient();
    QSignalSpy asked(m_client.get(), &DaemonClient::questionAsked);
    QTRY_COMPARE(m_client->state().questions.size(), 2);
    QVERIFY(waitFor(Connection::Ready));
    QCOMPARE(asked.size(), 2);
    // There is no second way.
    QVERIFY(m_daemon->callsOf(u"Breaches.List"_s).isEmpty());
    m_daemon->withdraw(1, u"gone"_s);
    QTRY_COMPARE(m_client->state().questions.size(), 1);
    QCOMPARE(m_client->state().questions.first().id, 2U);
}

void TestClient::openQuestionsAreAskedAgainAfterRestart()
{
    QVERIFY(m_daemon->start());
    m_daemon->setList(u"questions"_s, {questionMap(1), questionMap(2)});
    connectClient();
    QTRY_COMPARE(m_client->state().questions.size(), 2);
    m_daemon->kill();
    QVERIFY(waitFor(Connection::Absent));
    QVERIFY(m_client->state().questions.isEmpty());
    QVERIFY(m_daemon->start());
    // One that opened before the app has come back.
    m_daemon->ask(questionMap(3));
    QVERIFY(waitFor(Connection::Ready));
    QTRY_COMPARE(m_client->state().questions.size(), 1);
    QCOMPARE(m_client->state().questions.first().id, 3U);
}

void TestClient::questionAskedAgainReplaces()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    m_daemon->ask(questionMap(1));
    m_daemon->ask(questionMap(2));
    QTRY_COMPARE(m_client->state().questions.size(), 2);
    QSignalSpy asked(m_client.get(), &DaemonClient::questionAsked);
    m_daemon->setList(u"questions"_s, {questionMap(1, u"/home/anna/other.csv"_s), questionMap(2)});
    m_daemon->becomeActive();
    QTRY_COMPARE(m_client->state().questions.first().file, u"/home/anna/other.csv"_s);
    QCOMPARE(m_client->state().questions.size(), 2);
    QCOMPARE(asked.size(), 0);
}

void TestClient::tooManyAgentsIsTold()
{
    QVERIFY(m_daemon->start());
    m_daemon->refuse(u"Breaches.RegisterAgent"_s, u"org.tacet.Error.TooMany"_s);
    connectClient();
    QTRY_COMPARE(m_client->state().agentRefused, ErrorCode::TooMany);
    QCOMPARE(conditionOf(m_client->state()), Condition::Unasked);
    QVERIFY(StatusWords::consequence(m_client->state()).startsWith(u"Too many programs"_s));
}

void TestClient::strangerCannotAsk()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    auto stranger = QDBusConnection::connectToBus(QDBusConnection::SessionBus, u"stranger"_s);
    const QString address = QDBusConnection(m_connectionName).baseService();
    auto call = QDBusMessage::createMethodCall(address, QString(DaemonClient::agentPath), u"org.tacet.Tacet1.Agent"_s, u"Ask"_s);
    call.setArguments({questionMap(9)});
    QDBusPendingCall pending = stranger.asyncCall(call);
    QTRY_VERIFY(pending.isFinished());
    QCOMPARE(pending.error().name(), u"org.freedesktop.DBus.Error.AccessDenied"_s);
    QVERIFY(m_client->state().questions.isEmpty());
    QDBusConnection::disconnectFromBus(u"stranger"_s);
}

void TestClient::badQuestionIsDropped()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    QVariantMap bad = questionMap(5);
    bad.insert(u"port"_s, u"eighty"_s);
    QTest::ignoreMessage(QtWarningMsg, "a question does not fit the contract; it stays unanswered and is blocked");
    m_daemon->ask(bad);
    m_daemon->ask(questionMap(6));
    QTRY_COMPARE(m_client->state().questions.size(), 1);
    QCOMPARE(m_client->state().questions.first().id, 6U);
}

void TestClient::answers()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    m_daemon->ask(questionMap(5));
    m_daemon->ask(questionMap(6));
    QTRY_COMPARE(m_client->state().questions.size(), 2);
    m_client->answer(5, {.verdict = Verdict::Scrub, .duration = Duration::Once, .scope = {}});
    QTRY_COMPARE(m_client->state().questions.size(), 1);
    QCOMPARE(m_daemon->callsOf(u"Breaches.Answer"_s).last(), u"[\"Breaches.Answer\", 5, \"scrub\", \"once\", {}]"_s);

    RuleScope scope{SubjectKind::Label, u"finance"_s, u"/usr/bin/curl"_s, {}, 0};
    m_client->answer(6, {.verdict = Verdict::Block, .duration = Duration::Hour, .scope = scope});
    QTRY_VERIFY(m_client->state().questions.isEmpty());
    const QString call = m_daemon->callsOf(u"Breaches.Answer"_s).last();
    QVERIFY(call.contains(u"\"subject_kind\": \"label\""_s) && call.contains(u"\"host\": \"\""_s) && call.contains(u"\"port\": 0"_s));
}

void TestClient::extends()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    m_daemon->ask(questionMap(5));
    QTRY_COMPARE(m_client->state().questions.size(), 1);
    const quint64 before = m_client->state().questions.first().expires;
    m_client->extend(5);
    QTRY_COMPARE(m_client->state().questions.first().expires, before + 540'000'000);
}

void TestClient::answerIsTooLate()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    m_daemon->ask(questionMap(5));
    QTRY_COMPARE(m_client->state().questions.size(), 1);
    m_daemon->refuse(u"Breaches.Answer"_s, u"org.tacet.Error.NoSuchQuestion"_s);
    m_client->answer(5, {});
    QTRY_VERIFY(m_client->state().questions.isEmpty());
}

void TestClient::answerFails()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    m_daemon->ask(questionMap(5));
    QTRY_COMPARE(m_client->state().questions.size(), 1);
    m_daemon->refuse(u"Breaches.Answer"_s, u"org.freedesktop.DBus.Error.AccessDenied"_s);
    QSignalSpy failed(m_client.get(), &DaemonClient::answerFailed);
    m_client->answer(5, {.verdict = Verdict::Allow, .duration = Duration::Always, .scope = {}});
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(m_client->state().questions.size(), 1);
}

void TestClient::rules()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    m_client->addRule({});
    QTRY_COMPARE(m_client->state().rules.size(), 1);
    m_client->removeRule(m_client->state().rules.first().id);
    QTRY_VERIFY(m_client->state().rules.isEmpty());
}

void TestClient::changedRuleIsNeverAbsent()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    m_client->addRule({});
    QTRY_COMPARE(m_client->state().rules.size(), 1);
    const quint64 before = m_client->state().rules.first().id;
    // The rule stays when its successor is refused.
    m_daemon->refuse(u"Rules.Add"_s, u"org.tacet.Error.InvalidScope"_s);
    QSignalSpy failed(m_client.get(), &DaemonClient::failed);
    m_client->replaceRule(before, {.verdict = Verdict::Scrub, .duration = Duration::Hour, .scope = {}});
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(m_daemon->callsOf(u"Rules.Remove"_s).isEmpty());
}

void TestClient::labels()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    QSignalSpy refused(m_client.get(), &DaemonClient::labelsRefused);
    m_client->addLabels({u"/home/anna/a"_s, u"/nowhere"_s}, u"finance"_s);
    QTRY_COMPARE(refused.size(), 1);
    const auto failures = refused.first().at(1).value<QList<LabelFailure>>();
    QCOMPARE(failures.size(), 1);
    QCOMPARE(failures.first().path, u"/nowhere"_s);
    QSignalSpy listed(m_client.get(), &DaemonClient::filesListed);
    m_client->listFiles(0, 10);
    QTRY_COMPARE(listed.size(), 1);
    QCOMPARE(listed.first().first().value<FilePage>().files.size(), 1);
    m_client->removeLabels({u"/home/anna/a"_s});
    QTRY_COMPARE(m_daemon->callsOf(u"Labels.Remove"_s).size(), 1);
}

void TestClient::memory()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QTRY_COMPARE(m_client->state().memory, (MemoryPolicy{MemoryScope::Chosen,
                                                         {MemoryLayer::Pages, MemoryLayer::Buffers, MemoryLayer::Stack, MemoryLayer::Heap},
                                                         {u"/usr/bin/gpg-agent"_s}}));
    m_client->addMemoryProgram(u"/usr/bin/ssh-agent"_s);
    QTRY_COMPARE(m_client->state().memory->programs, (QStringList{u"/usr/bin/gpg-agent"_s, u"/usr/bin/ssh-agent"_s}));
    m_client->removeMemoryProgram(u"/usr/bin/gpg-agent"_s);
    QTRY_COMPARE(m_client->state().memory->programs, QStringList{u"/usr/bin/ssh-agent"_s});
    m_client->setMemoryLayer(MemoryLayer::Stack, false);
    QTRY_COMPARE(m_client->state().memory->layers, (QList{MemoryLayer::Pages, MemoryLayer::Buffers, MemoryLayer::Heap}));
    m_client->setMemoryScope(MemoryScope::Off);
    QTRY_COMPARE(m_client->state().memory->scope, MemoryScope::Off);

    QSignalSpy failed(m_client.get(), &DaemonClient::failed);
    m_daemon->refuse(u"Memory.SetScope"_s, u"org.freedesktop.DBus.Error.AccessDenied"_s);
    m_client->setMemoryScope(MemoryScope::Everything);
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed.first().first().value<Operation>(), Operation::ChangeMemory);
    QCOMPARE(m_client->state().memory->scope, MemoryScope::Off);
}

void TestClient::filesInPages()
{
    QVERIFY(m_daemon->start());
    m_daemon->setManyFiles(1500);
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    QSignalSpy listed(m_client.get(), &DaemonClient::filesListed);
    m_client->listFiles(1000, 1000);
    QTRY_COMPARE(listed.size(), 1);
    const auto page = listed.first().first().value<FilePage>();
    QCOMPARE(page.offset, 1000U);
    QCOMPARE(page.listed, 500U);
    QCOMPARE(page.total, 1500U);
}

void TestClient::log()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    QSignalSpy added(m_client.get(), &DaemonClient::logAdded);
    m_daemon->addEntry({{u"id"_s, quint64(1)}, {u"time"_s, quint64(1)}, {u"kind"_s, u"missed"_s}});
    QTRY_COMPARE(added.size(), 1);
    QSignalSpy listed(m_client.get(), &DaemonClient::logListed);
    m_client->listLog(0, 10);
    QTRY_COMPARE(listed.size(), 1);
    QCOMPARE(listed.first().at(1).value<QList<LogEntry>>().size(), 1);
}

void TestClient::failureIsReported()
{
    QVERIFY(m_daemon->start());
    connectClient();
    QVERIFY(waitFor(Connection::Ready));
    m_daemon->refuse(u"Protection.Pause"_s, u"org.freedesktop.DBus.Error.AccessDenied"_s);
    QSignalSpy failed(m_client.get(), &DaemonClient::failed);
    m_client->pause(5);
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed.first().first().value<Operation>(), Operation::Pause);
    QCOMPARE(failed.first().at(1).value<DaemonError>().name, u"org.freedesktop.DBus.Error.AccessDenied"_s);
}

QTEST_GUILESS_MAIN(TestClient)
#include "tst_client.moc"
