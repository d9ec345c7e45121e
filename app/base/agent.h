// SPDX-License-Identifier: GPL-3.0-or-later
// The D-Bus object that the daemon asks; it only takes questions from the daemon and passes them on.
#pragma once

#include <QDBusContext>
#include <QObject>
#include <QVariantMap>

namespace Tacet {

class DaemonLink;

class Agent : public QObject, protected QDBusContext
{
    Q_OBJECT

public:
    explicit Agent(const DaemonLink *link, QObject *parent = nullptr);

public Q_SLOTS:
    // Named as in the contract: the generated adaptor calls them.
    void Ask(const QVariantMap &question);
    void Withdraw(qulonglong id, const QString &reason);

Q_SIGNALS:
    void asked(const QVariantMap &question);
    void withdrawn(quint64 id, const QString &reason);

private:
    bool refuseStranger();

    const DaemonLink *m_link;
};

} // namespace Tacet
