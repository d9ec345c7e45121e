// SPDX-License-Identifier: GPL-3.0-or-later
// One window program a session: the second start hands its wish to the first and ends.
#pragma once

#include <QDBusConnection>
#include <QObject>
#include <QVariantMap>

namespace Tacet {

class SingleInstance : public QObject
{
    Q_OBJECT
    // The interface that launchers use too, so that "Activate" from a desktop environment works the same way.
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Application")

public:
    explicit SingleInstance(const QDBusConnection &bus, QObject *parent = nullptr);

    // False: another one runs.
    bool acquire();
    // Tells the one that runs to show a page, or what needs attention when none is named.
    void forward(const QString &page);
    // Tells it to open files privately, or to offer programs when there are none.
    void forwardPrivate(const QStringList &files);

public Q_SLOTS:
    // Named as in the Desktop Entry Specification.
    Q_SCRIPTABLE void Activate(const QVariantMap &platformData);
    Q_SCRIPTABLE void ActivateAction(const QString &action, const QVariantList &parameters, const QVariantMap &platformData);

Q_SIGNALS:
    void activated(const QString &page);
    void privateRequested(const QStringList &files);

private:
    void send(const QString &method, const QVariantList &arguments);

    QDBusConnection m_bus;
};

} // namespace Tacet
