// SPDX-License-Identifier: GPL-3.0-or-later
#include "singleinstance.h"

#include <QDBusConnectionInterface>
#include <QDBusMessage>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

const QString busName = u"org.tacet.App"_s;
const QString path = u"/org/tacet/App"_s;
const QString runPrivately = u"run-privately"_s;

// Wayland lets a window come to the front only with the token of the click that asked for it.
QVariantMap platformData()
{
    const QString token = qEnvironmentVariable("XDG_ACTIVATION_TOKEN");
    return token.isEmpty() ? QVariantMap() : QVariantMap{{u"activation-token"_s, token}};
}

void useToken(const QVariantMap &platformData)
{
    const QByteArray token = platformData.value(u"activation-token"_s).toString().toUtf8();
    if (!token.isEmpty())
        qputenv("XDG_ACTIVATION_TOKEN", token);
}

} // namespace

SingleInstance::SingleInstance(const QDBusConnection &bus, QObject *parent) : QObject(parent), m_bus(bus) {}

bool SingleInstance::acquire()
{
    // Without a session bus there is nobody to be second to.
    if (!m_bus.isConnected())
        return true;
    m_bus.registerObject(path, this, QDBusConnection::ExportScriptableSlots);
    if (m_bus.registerService(busName))
        return true;
    m_bus.unregisterObject(path);
    return false;
}

void SingleInstance::forward(const QString &page)
{
    if (page.isEmpty())
        send(u"Activate"_s, {platformData()});
    else
        send(u"ActivateAction"_s, {u"show-%1"_s.arg(page), QVariantList(), platformData()});
}

void SingleInstance::forwardPrivate(const QStringList &files)
{
    send(u"ActivateAction"_s, {runPrivately, QVariantList{files}, platformData()});
}

void SingleInstance::send(const QString &method, const QVariantList &arguments)
{
    auto call = QDBusMessage::createMethodCall(busName, path, u"org.freedesktop.Application"_s, method);
    call.setArguments(arguments);
    // The program ends right after this: the one place where it waits for an answer.
    m_bus.call(call, QDBus::Block, 5000);
}

void SingleInstance::Activate(const QVariantMap &platformData)
{
    useToken(platformData);
    Q_EMIT activated(QString());
}

void SingleInstance::ActivateAction(const QString &action, const QVariantList &parameters, const QVariantMap &platformData)
{
    useToken(platformData);
    if (action == runPrivately)
        Q_EMIT privateRequested(parameters.value(0).toStringList());
    const QString prefix = u"show-"_s;
    if (action.startsWith(prefix))
        Q_EMIT activated(action.sliced(prefix.size()));
}

} // namespace Tacet
