// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemonlink.h"

#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

#include <algorithm>
#include <limits>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

// For methods with a polkit action an administrator's password may have to be typed first.
bool mayAskForPassword(const contract::Method &method)
{
    return std::ranges::any_of(method.actions, [](std::string_view action) { return !action.empty(); });
}

} // namespace

DaemonLink::DaemonLink(const QDBusConnection &bus, QObject *parent)
    : QObject(parent), m_bus(bus), m_watcher(latin1(contract::service), bus, QDBusServiceWatcher::WatchForOwnerChange)
{
    connect(&m_watcher, &QDBusServiceWatcher::serviceOwnerChanged, this, &DaemonLink::onOwnerChanged);
    subscribe();
    askForOwner();
}

void DaemonLink::call(const Request &request, OnAnswer onAnswer, OnError onError)
{
    const contract::Method &method = request.method;
    auto message = QDBusMessage::createMethodCall(latin1(contract::service), latin1(contract::object_path), latin1(method.interface),
                                                  latin1(method.name));
    message.setArguments(request.arguments);
    message.setInteractiveAuthorizationAllowed(mayAskForPassword(method));
    constexpr int usual = 25'000;
    const int timeout = mayAskForPassword(method) || request.mayTakeLong ? std::numeric_limits<int>::max() : usual;

    auto *watcher = new QDBusPendingCallWatcher(m_bus.asyncCall(message, timeout), this);
    const auto onFinished = [this, life = m_life, expected = latin1(method.out), onAnswer = std::move(onAnswer),
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
    const auto listen = [this](const contract::Signal &signal, const char *slot) {
        m_bus.connect(latin1(contract::service), latin1(contract::object_path), latin1(signal.interface), latin1(signal.name),
                      latin1(signal.signature), this, slot);
    };
    listen(contract::protection::changed, SLOT(onProtectionChanged()));
    listen(contract::rules::changed, SLOT(onRulesChanged(uint)));
    listen(contract::labels::changed, SLOT(onLabelsChanged(uint)));
    listen(contract::log::added, SLOT(onLogAdded(uint, qulonglong)));
    listen(contract::sessions::changed, SLOT(onSessionsChanged(uint)));
}

void DaemonLink::askForOwner()
{
    auto message =
        QDBusMessage::createMethodCall(u"org.freedesktop.DBus"_s, u"/org/freedesktop/DBus"_s, u"org.freedesktop.DBus"_s, u"GetNameOwner"_s);
    message.setArguments({QString(latin1(contract::service))});
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
