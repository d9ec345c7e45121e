// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakedaemon.h"

#include "base/timestamps.h"

#include <QDBusConnectionInterface>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusVariant>
#include <QTest>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

const QString service = u"org.tacet.Tacet1"_s;

} // namespace

FakeDaemon::FakeDaemon() : m_bus(QDBusConnection::connectToBus(QDBusConnection::SessionBus, u"control"_s))
{
    qDBusRegisterMetaType<QList<QVariantMap>>();
}

FakeDaemon::~FakeDaemon()
{
    kill();
}

bool FakeDaemon::start()
{
    m_process.setProcessChannelMode(QProcess::ForwardedChannels);
    m_process.start(u"python3"_s, {QStringLiteral(TACET_FAKE_DAEMON), QStringLiteral(TACET_CONTRACT)});
    return m_process.waitForStarted() && QTest::qWaitFor([this] { return m_bus.interface()->isServiceRegistered(service).value(); });
}

void FakeDaemon::kill()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

QVariantList FakeDaemon::control(const QString &method, const QVariantList &arguments)
{
    auto call = QDBusMessage::createMethodCall(service, u"/org/tacet/Tacet1"_s, u"org.tacet.Test"_s, method);
    call.setArguments(arguments);
    const QDBusMessage reply = m_bus.call(call);
    if (reply.type() == QDBusMessage::ErrorMessage)
        qWarning() << method << reply.errorMessage();
    return reply.arguments();
}

void FakeDaemon::ask(const QVariantMap &question)
{
    control(u"Ask"_s, {question});
}
void FakeDaemon::withdraw(quint64 id, const QString &reason)
{
    control(u"Withdraw"_s, {id, reason});
}
void FakeDaemon::becomeActive()
{
    control(u"BecomeActive"_s);
}
void FakeDaemon::addEntry(const QVariantMap &entry)
{
    control(u"AddEntry"_s, {entry});
}
void FakeDaemon::setManyFiles(uint count)
{
    control(u"SetManyFiles"_s, {count});
}
void FakeDaemon::refuse(const QString &method, const QString &error)
{
    control(u"Refuse"_s, {method, error});
}
void FakeDaemon::ignore(const QString &method)
{
    control(u"Ignore"_s, {method});
}
QStringList FakeDaemon::calls()
{
    return control(u"Calls"_s).value(0).toStringList();
}

void FakeDaemon::setProperty(const QString &name, const QVariant &value)
{
    control(u"SetProperty"_s, {name, QVariant::fromValue(QDBusVariant(value))});
}

void FakeDaemon::setList(const QString &name, const QList<QVariantMap> &values)
{
    control(u"SetList"_s, {name, QVariant::fromValue(values)});
}

QStringList FakeDaemon::callsOf(const QString &method)
{
    return calls().filter(u"[\"%1\""_s.arg(method));
}

QVariantMap questionMap(quint64 id, const QString &file)
{
    return {
        {u"id"_s, id},
        {u"time"_s, quint64(1'790'000'000)},
        {u"expires"_s, boottimeMicroseconds() + 60'000'000},
        {u"pid"_s, 4711U},
        {u"uid"_s, 1000U},
        {u"executable"_s, u"/usr/bin/curl"_s},
        {u"command"_s, QStringList{u"curl"_s, u"-T"_s, file, u"http://remote/"_s}},
        {u"comm"_s, u"curl"_s},
        {u"parent"_s, u"qterminal"_s},
        {u"file"_s, file},
        {u"chain"_s, QStringList()},
        {u"categories"_s, QStringList{u"finance"_s}},
        {u"sink"_s, u"network"_s},
        {u"address"_s, u"192.0.2.7"_s},
        {u"host"_s, u"remote.example"_s},
        {u"port"_s, QVariant::fromValue(quint16(80))},
        {u"protocol"_s, u"tcp"_s},
        {u"target"_s, QString()},
        {u"tainted"_s, false},
        {u"can_take_over"_s, true},
        {u"in_session"_s, false},
        {u"length"_s, quint64(1480)},
        {u"scrubbed_length"_s, quint64(1480)},
        {u"preview"_s, QByteArray("name,salary\nAnna Schmidt,52000\nBo Jensen,48500\nChiara Rossi,61200\n")},
        {u"scrubbed_preview"_s, QByteArray("xxxxxxxxxxx\nxxxx xxxxxxxxxxxxx\nxx xxxxxxxxxxxx\nxxxxxx xxxxxxxxxxx\n")},
        {u"calls_equal"_s, quint64(1402)},
        {u"calls_total"_s, quint64(1410)},
        {u"binary_changed"_s, false},
    };
}

} // namespace Tacet
