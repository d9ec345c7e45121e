// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemonlink.h"

#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

#include <limits>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

QString fullName(const QString &interface)
{
    return interface.contains(u'.') ? interface : u"%1.%2"_s.arg(DaemonLink::service, interface);
}

} // namespace

DaemonLink::DaemonLink(const QDBusConnection &bus, QObject *parent)
    : QObject(parent)
    , m_bus(bus)
    , m_watcher(service, bus, QDBusServiceWatcher::WatchForOwnerChange)
{
    connect(&m_watcher, &QDBusServiceWatcher::serviceOwnerChanged, this, &DaemonLink::onOwnerChanged);
    subscribe();
    askForOwner();
}

void DaemonLink::call(const Request &request, OnAnswer onAnswer, OnError onError)
{
    auto message = QDBusMessage::createMethodCall(service, objectPath, fullName(request.interface), request.method);
    message.setArguments(request.arguments);
    message.setInteractiveAuthorizationAllowed(request.mayAskForPassword);
    constexpr int usual = 25'000;
    const int timeout = request.mayAskForPassword || request.mayTakeLong ? std::numeric_limits<int>::max() : usual;

    auto *watcher = new QDBusPendingCallWatcher(m_bus.asyncCall(message, timeout), this);
    const auto onFinished = [this, life = m_life, expected = request.answer, onAnswer = std::move(onAnswer),
                             onError = std::move(onError)](QDBusPendingCallWatcher *finished) {
        finished->deleteLater();
        if (life != m_life)
            return;
        const QDBusMessage reply = finished->reply();
        if (reply.type() == QDBusMessage::ErrorMessage)
            onError({reply.errorName(), reply.errorMessage()});
        else if (reply.signature() != expected)
            onError({u"org.freedesktop.DBus.Error.InvalidSignature"_s, {}});
        else
            onAnswer(reply.arguments());
    };
    connect(watcher, &QDBusPendingCallWatcher::finished, this, onFinished);
}

bool DaemonLink::exportObject(const QString &path, QObject *object)
{
    return m_bus.registerObject(path, object, QDBusConnection::ExportAdaptors);
}

bool DaemonLink::isFromDaemon(const QDBusMessage &message) const
{
    return !m_owner.isEmpty() && message.service() == m_owner;
}

void DaemonLink::subscribe()
{
    const auto listen = [this](const QString &interface, const QString &name, const char *slot) {
        m_bus.connect(service, objectPath, fullName(interface), name, this, slot);
    };
    listen(u"Protection"_s, u"Changed"_s, SLOT(onProtectionChanged()));
    listen(u"Breaches"_s, u"Changed"_s, SLOT(onBreachesChanged(uint)));
    listen(u"Rules"_s, u"Changed"_s, SLOT(onRulesChanged(uint)));
    listen(u"Labels"_s, u"Changed"_s, SLOT(onLabelsChanged(uint)));
    listen(u"Log"_s, u"Added"_s, SLOT(onLogAdded(uint, qulonglong)));
    listen(u"Sessions"_s, u"Changed"_s, SLOT(onSessionsChanged(uint)));
}

void DaemonLink::askForOwner()
{
    auto message = QDBusMessage::createMethodCall(u"org.freedesktop.DBus"_s, u"/org/freedesktop/DBus"_s,
                                                  u"org.freedesktop.DBus"_s, u"GetNameOwner"_s);
    message.setArguments({QString(service)});
    auto *watcher = new QDBusPendingCallWatcher(m_bus.asyncCall(message), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher *finished) {
        finished->deleteLater();
        const QDBusPendingReply<QString> reply = *finished;
        if (reply.isValid() && m_owner.isEmpty())
            m_owner = reply.value();
    });
}

void DaemonLink::onOwnerChanged(const QString &, const QString &oldOwner, const QString &newOwner)
{
    m_owner = newOwner;
    if (!oldOwner.isEmpty()) {
        ++m_life;
        Q_EMIT serviceGone();
    }
    if (!newOwner.isEmpty())
        Q_EMIT serviceAppeared();
}

void DaemonLink::onProtectionChanged()
{
    Q_EMIT protectionChanged();
}

void DaemonLink::onBreachesChanged(uint uid)
{
    if (uid == getuid())
        Q_EMIT breachesChanged();
}

void DaemonLink::onRulesChanged(uint uid)
{
    // The administrator's rules are everybody's.
    if (uid == getuid() || uid == 0)
        Q_EMIT rulesChanged();
}

void DaemonLink::onLabelsChanged(uint uid)
{
    if (uid == getuid())
        Q_EMIT labelsChanged();
}

void DaemonLink::onLogAdded(uint uid, qulonglong)
{
    if (uid == getuid())
        Q_EMIT logAdded();
}

void DaemonLink::onSessionsChanged(uint uid)
{
    if (uid == getuid())
        Q_EMIT sessionsChanged();
}

} // namespace Tacet
