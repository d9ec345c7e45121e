// SPDX-License-Identifier: GPL-3.0-or-later
// Notifications and the session lock, against stand-ins for the notification daemon and logind on a private bus.
#include "base/sessionlock.h"
#include "fakedaemon.h"
#include "gui/notifications/notifier.h"

#include <QDBusArgument>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusVariant>
#include <QDBusVirtualObject>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace Tacet;

class NotificationServer : public QDBusVirtualObject
{
public:
    QString introspect(const QString &) const override { return {}; }
    bool handleMessage(const QDBusMessage &message, const QDBusConnection &connection) override
    {
        if (message.member() == "Notify"_L1) {
            shown.append(message.arguments());
            const uint replaced = message.arguments().at(1).toUInt();
            return connection.send(message.createReply(replaced ? replaced : ++last));
        }
        closed.append(message.arguments().value(0).toUInt());
        return connection.send(message.createReply());
    }

    QList<QVariantList> shown;
    QList<uint> closed;
    uint last = 0;
};

class Login : public QDBusVirtualObject
{
public:
    QString introspect(const QString &) const override { return {}; }
    bool handleMessage(const QDBusMessage &message, const QDBusConnection &connection) override
    {
        const auto send = [&](const QVariant &value) { return connection.send(message.createReply(value)); };
        if (message.member() == "GetSession"_L1)
            return send(QVariant::fromValue(QDBusObjectPath(u"/org/freedesktop/login1/session/_31"_s)));
        if (message.arguments().value(1).toString() == "Id"_L1)
            return send(QVariant::fromValue(QDBusVariant(u"1"_s)));
        return send(QVariant::fromValue(QDBusVariant(locked)));
    }

    bool locked = false;
};

class TestNotifier : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();

    void showsQuestion();
    void actions();
    void withdrawnCloses();
    void lockedHidesFile();
    void withoutLogindNothingIsNamed();
    void floodIsLimited();
    void fullStoreIsTold();
    void missingServerIsTold();

private:
    Question question(quint64 id) { return *Question::parse(questionMap(id)); }
    void invoke(uint notification, const QString &action);

    QDBusConnection m_bus{QDBusConnection::connectToBus(QDBusConnection::SessionBus, u"servers"_s)};
    NotificationServer m_server;
    Login m_login;
};

void TestNotifier::initTestCase()
{
    QVERIFY(m_bus.registerVirtualObject(u"/org/freedesktop/Notifications"_s, &m_server));
    QVERIFY(m_bus.registerVirtualObject(u"/org/freedesktop/login1"_s, &m_login, QDBusConnection::SubPath));
    QVERIFY(m_bus.registerService(u"org.freedesktop.Notifications"_s));
    QVERIFY(m_bus.registerService(u"org.freedesktop.login1"_s));
}

void TestNotifier::cleanupTestCase()
{
    QDBusConnection::disconnectFromBus(u"servers"_s);
}

void TestNotifier::invoke(uint notification, const QString &action)
{
    auto signal = QDBusMessage::createSignal(u"/org/freedesktop/Notifications"_s, u"org.freedesktop.Notifications"_s, u"ActionInvoked"_s);
    signal.setArguments({notification, action});
    m_bus.send(signal);
}

void TestNotifier::showsQuestion()
{
    SessionLock lock(QDBusConnection::sessionBus());
    QTRY_VERIFY(!lock.mayBeLocked());
    Notifier notifier(QDBusConnection::sessionBus(), &lock);
    m_server.shown.clear();
    notifier.show(question(1));
    QTRY_COMPARE(m_server.shown.size(), 1);
    QVERIFY(m_server.shown.first().at(4).toString().contains(u"salaries.csv"_s));
    const QStringList actions = m_server.shown.first().at(5).toStringList();
    QVERIFY(actions.contains(u"block"_s) && actions.contains(u"scrub"_s) && actions.contains(u"default"_s));
    QVERIFY(!actions.contains(u"allow"_s));
}

void TestNotifier::actions()
{
    SessionLock lock(QDBusConnection::sessionBus());
    QTRY_VERIFY(!lock.mayBeLocked());
    Notifier notifier(QDBusConnection::sessionBus(), &lock);
    QSignalSpy answers(&notifier, &Notifier::answerChosen);
    QSignalSpy details(&notifier, &Notifier::detailsChosen);
    m_server.shown.clear();
    notifier.show(question(7));
    QTRY_COMPARE(m_server.shown.size(), 1);
    QTest::qWait(50);
    invoke(m_server.last + 99, u"block"_s); // another program's
    invoke(m_server.last, u"block"_s);
    QTRY_COMPARE(answers.size(), 1);
    QCOMPARE(answers.first().at(0).toULongLong(), 7U);
    QCOMPARE(answers.first().at(1).value<Answer>().verdict, Verdict::Block);
    invoke(m_server.last, u"scrub"_s);
    QTRY_COMPARE(answers.size(), 2);
    invoke(m_server.last, u"default"_s);
    QTRY_COMPARE(details.size(), 1);
}

void TestNotifier::withdrawnCloses()
{
    SessionLock lock(QDBusConnection::sessionBus());
    Notifier notifier(QDBusConnection::sessionBus(), &lock);
    m_server.closed.clear();
    m_server.shown.clear();
    notifier.show(question(1));
    // Withdrawn before the notification daemon answered.
    notifier.close(1);
    QTRY_COMPARE(m_server.shown.size(), 1);
    QTRY_VERIFY(m_server.closed.contains(m_server.last));
}

void TestNotifier::lockedHidesFile()
{
    SessionLock lock(QDBusConnection::sessionBus());
    QTRY_VERIFY(!lock.mayBeLocked());
    Notifier notifier(QDBusConnection::sessionBus(), &lock);
    m_server.shown.clear();
    notifier.show(question(1));
    QTRY_COMPARE(m_server.shown.size(), 1);
    QTest::qWait(50);
    auto signal =
        QDBusMessage::createSignal(u"/org/freedesktop/login1/session/_31"_s, u"org.freedesktop.DBus.Properties"_s, u"PropertiesChanged"_s);
    signal.setArguments({u"org.freedesktop.login1.Session"_s, QVariantMap{{u"LockedHint"_s, true}}, QStringList()});
    m_bus.send(signal);
    // The one that is shown already is replaced.
    QTRY_COMPARE(m_server.shown.size(), 2);
    QCOMPARE(m_server.shown.last().at(1).toUInt(), m_server.last);
    QVERIFY(!m_server.shown.last().at(4).toString().contains(u"salaries"_s));
}

void TestNotifier::withoutLogindNothingIsNamed()
{
    m_bus.unregisterService(u"org.freedesktop.login1"_s);
    SessionLock lock(QDBusConnection::sessionBus());
    Notifier notifier(QDBusConnection::sessionBus(), &lock);
    m_server.shown.clear();
    notifier.show(question(1));
    QTRY_COMPARE(m_server.shown.size(), 1);
    QVERIFY(lock.mayBeLocked());
    QVERIFY(!m_server.shown.first().at(4).toString().contains(u"salaries"_s));
    QVERIFY(m_bus.registerService(u"org.freedesktop.login1"_s));
}

void TestNotifier::floodIsLimited()
{
    SessionLock lock(QDBusConnection::sessionBus());
    Notifier notifier(QDBusConnection::sessionBus(), &lock);
    QTRY_VERIFY(!lock.mayBeLocked());
    m_server.shown.clear();
    for (quint64 id = 1; id <= 50; ++id)
        notifier.show(question(id));
    QTest::qWait(200);
    QCOMPARE(m_server.shown.size(), Notifier::maximumOpen);
}

void TestNotifier::fullStoreIsTold()
{
    SessionLock lock(QDBusConnection::sessionBus());
    Notifier notifier(QDBusConnection::sessionBus(), &lock);
    m_server.shown.clear();
    notifier.tellStoreFull();
    QTRY_COMPARE(m_server.shown.size(), 1);
    const auto hints = qdbus_cast<QVariantMap>(m_server.shown.first().at(6));
    QVERIFY(hints.value(u"transient"_s).toBool());
}

// The window comes then, also where the notification would come first.
void TestNotifier::missingServerIsTold()
{
    QVERIFY(m_bus.unregisterService(u"org.freedesktop.Notifications"_s));
    SessionLock lock(QDBusConnection::sessionBus());
    Notifier notifier(QDBusConnection::sessionBus(), &lock);
    QSignalSpy missing(&notifier, &Notifier::notShown);
    notifier.show(question(1));
    QTRY_COMPARE(missing.size(), 1);
    QVERIFY(m_bus.registerService(u"org.freedesktop.Notifications"_s));
}

QTEST_GUILESS_MAIN(TestNotifier)
#include "tst_notifier.moc"
