// SPDX-License-Identifier: GPL-3.0-or-later
// A key of the whole desktop on Wayland, where only the desktop gives one: org.freedesktop.portal.GlobalShortcuts.
#pragma once

#include "panicshortcut.h"

#include <QDBusMessage>
#include <QDBusObjectPath>

namespace Tacet {

class ShortcutPortal : public PanicShortcut
{
    Q_OBJECT

public:
    ShortcutPortal(const QDBusConnection &bus, QObject *parent);

private Q_SLOTS:
    void onSession(uint response, const QVariantMap &results);
    void onBound(uint response, const QVariantMap &results);
    void onActivated(const QDBusObjectPath &session, const QString &shortcut, qulonglong time, const QVariantMap &options);

private:
    void request(const QString &method, QVariantList arguments, QVariantMap options, const char *slot);

    QDBusConnection m_bus;
    QDBusObjectPath m_session;
    int m_requests = 0;
};

} // namespace Tacet
