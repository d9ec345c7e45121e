// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessionlock.h"

#include <QDBusObjectPath>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

#include <functional>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

const QString login = u"org.freedesktop.login1"_s;
const QString sessionInterface = u"org.freedesktop.login1.Session"_s;

template <typename Value>
void ask(QDBusConnection bus, const QDBusMessage &call, QObject *context, std::function<void(const Value &)> onAnswer)
{
    auto *watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), context);
    QObject::connect(watcher, &QDBusPendingCallWatcher::finished, context,
                     [onAnswer = std::move(onAnswer)](QDBusPendingCallWatcher *finished) {
        finished->deleteLater();
        const QDBusPendingReply<Value> reply = *finished;
        if (reply.isValid())
            onAnswer(reply.value());
    });
}

QDBusMessage propertyCall(const QString &path, const QString &name)
{
    auto call = QDBusMessage::createMethodCall(login, path, u"org.freedesktop.DBus.Properties"_s, u"Get"_s);
    call.setArguments({sessionInterface, name});
    return call;
}

} // namespace

SessionLock::SessionLock(const QDBusConnection &bus, QObject *parent) : QObject(parent), m_bus(bus)
{
    askForId();
}

// "auto" is the caller's session, or its user's graphical one for a service of the user; signals come from the real path.
void SessionLock::askForId()
{
    ask<QDBusVariant>(m_bus, propertyCall(u"/org/freedesktop/login1/session/auto"_s, u"Id"_s), this,
                      [this](const QDBusVariant &id) { askForPath(id.variant().toString()); });
}

void SessionLock::askForPath(const QString &id)
{
    auto call = QDBusMessage::createMethodCall(login, u"/org/freedesktop/login1"_s, u"org.freedesktop.login1.Manager"_s, u"GetSession"_s);
    call.setArguments({id});
    ask<QDBusObjectPath>(m_bus, call, this, [this](const QDBusObjectPath &path) { watch(path.path()); });
}

void SessionLock::watch(const QString &path)
{
    m_bus.connect(login, path, u"org.freedesktop.DBus.Properties"_s, u"PropertiesChanged"_s, this,
                  SLOT(onPropertiesChanged(QString, QVariantMap, QStringList)));
    ask<QDBusVariant>(m_bus, propertyCall(path, u"LockedHint"_s), this, [this](const QDBusVariant &hint) { take(hint.variant()); });
}

void SessionLock::onPropertiesChanged(const QString &interface, const QVariantMap &changes, const QStringList &)
{
    if (interface == sessionInterface && changes.contains(u"LockedHint"_s))
        take(changes.value(u"LockedHint"_s));
}

void SessionLock::take(const QVariant &lockedHint)
{
    const bool locked = lockedHint.metaType() != QMetaType::fromType<bool>() || lockedHint.toBool();
    if (locked == m_mayBeLocked)
        return;
    m_mayBeLocked = locked;
    Q_EMIT changed();
}

} // namespace Tacet
