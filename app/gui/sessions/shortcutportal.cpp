// SPDX-License-Identifier: GPL-3.0-or-later
#include "shortcutportal.h"

#include "base/untrusted.h"

#include <QDBusArgument>
#include <QDBusMetaType>
#include <QDBusPendingCallWatcher>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

const QString service = u"org.freedesktop.portal.Desktop"_s;
const QString path = u"/org/freedesktop/portal/desktop"_s;
const QString interface = u"org.freedesktop.portal.GlobalShortcuts"_s;
const QString panic = u"panic"_s;

// The portal's "shortcuts" specification of the default key.
const QString trigger = u"CTRL+ALT+SHIFT+p"_s;

} // namespace

// (sa{sv}), as BindShortcuts takes it.
struct PortalShortcut
{
    QString id;
    QVariantMap options;
};

QDBusArgument &operator<<(QDBusArgument &argument, const PortalShortcut &shortcut)
{
    argument.beginStructure();
    argument << shortcut.id << shortcut.options;
    argument.endStructure();
    return argument;
}

const QDBusArgument &operator>>(const QDBusArgument &argument, PortalShortcut &shortcut)
{
    argument.beginStructure();
    argument >> shortcut.id >> shortcut.options;
    argument.endStructure();
    return argument;
}

ShortcutPortal::ShortcutPortal(const QDBusConnection &bus, QObject *parent) : PanicShortcut(parent), m_bus(bus)
{
    qDBusRegisterMetaType<PortalShortcut>();
    qDBusRegisterMetaType<QList<PortalShortcut>>();
    m_bus.connect(service, path, interface, u"Activated"_s, this, SLOT(onActivated(QDBusObjectPath, QString, qulonglong, QVariantMap)));
    request(u"CreateSession"_s, {}, {{u"session_handle_token"_s, u"tacet"_s}}, SLOT(onSession(uint, QVariantMap)));
}

// A portal answers by a signal of an object whose name is known before the call, so that the answer cannot be missed.
void ShortcutPortal::request(const QString &method, QVariantList arguments, QVariantMap options, const char *slot)
{
    const QString token = u"tacet%1"_s.arg(++m_requests);
    const QString sender = m_bus.baseService().sliced(1).replace(u'.', u'_');
    m_bus.connect(service, u"/org/freedesktop/portal/desktop/request/%1/%2"_s.arg(sender, token), u"org.freedesktop.portal.Request"_s,
                  u"Response"_s, this, slot);
    options.insert(u"handle_token"_s, token);
    auto call = QDBusMessage::createMethodCall(service, path, interface, method);
    call.setArguments(arguments << QVariant(options));
    auto *watcher = new QDBusPendingCallWatcher(m_bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher *finished) {
        finished->deleteLater();
        if (finished->isError())
            setState(ShortcutState::Unsupported, {});
    });
}

void ShortcutPortal::onSession(uint response, const QVariantMap &results)
{
    if (response != 0)
        return;
    m_session = QDBusObjectPath(results.value(u"session_handle"_s).toString());
    const QList<PortalShortcut> shortcuts{
        {panic, {{u"description"_s, tr("End every private session")}, {u"preferred_trigger"_s, trigger}}}};
    request(u"BindShortcuts"_s, {QVariant::fromValue(m_session), QVariant::fromValue(shortcuts), QString()}, {},
            SLOT(onBound(uint, QVariantMap)));
}

void ShortcutPortal::onBound(uint response, const QVariantMap &results)
{
    const auto bound = qdbus_cast<QList<PortalShortcut>>(results.value(u"shortcuts"_s));
    if (response != 0 || bound.isEmpty()) {
        setState(ShortcutState::Taken, defaultName());
        return;
    }
    // The person may have chosen another one in the desktop's own window.
    const QString chosen = bound.first().options.value(u"trigger_description"_s).toString();
    setState(ShortcutState::Held, chosen.isEmpty() ? defaultName() : shown(chosen, 40));
}

void ShortcutPortal::onActivated(const QDBusObjectPath &session, const QString &shortcut, qulonglong, const QVariantMap &)
{
    if (session == m_session && shortcut == panic)
        Q_EMIT pressed();
}

} // namespace Tacet
