// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the person's session is locked, as logind says.
#pragma once

#include <QDBusConnection>
#include <QObject>
#include <QVariantMap>

namespace Tacet {

class SessionLock : public QObject
{
    Q_OBJECT

public:
    explicit SessionLock(const QDBusConnection &bus, QObject *parent = nullptr);

    // Also true as long as logind has not answered: then nobody knows who looks at the screen.
    bool mayBeLocked() const { return m_mayBeLocked; }

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void onPropertiesChanged(const QString &interface, const QVariantMap &changes, const QStringList &invalidated);

private:
    void askForId();
    void askForPath(const QString &id);
    void watch(const QString &path);
    void take(const QVariant &lockedHint);

    QDBusConnection m_bus;
    bool m_mayBeLocked = true;
};

} // namespace Tacet
