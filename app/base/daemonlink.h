// SPDX-License-Identifier: GPL-3.0-or-later
// The wire of DaemonClient: asynchronous calls with checked answers, the daemon's signals, its coming and going.
#pragma once

#include "codes.h"
#include "contract/methods.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusServiceWatcher>
#include <QObject>

#include <functional>

namespace Tacet {

struct DaemonError
{
    QString name;
    QString message;
};

class DaemonLink : public QObject
{
    Q_OBJECT

public:
    struct Request
    {
        const contract::Method &method;
        // Without an initializer GCC warns of each request that has none.
        QVariantList arguments = {}; // NOLINT(readability-redundant-member-init)
        // Work whose length nobody knows, such as copying a large file.
        bool mayTakeLong = false;
    };
    using OnAnswer = std::function<void(const QVariantList &)>;
    using OnError = std::function<void(const DaemonError &)>;

    explicit DaemonLink(const QDBusConnection &bus, QObject *parent = nullptr);

    // An answer of another signature than the contract's is an error. A call that polkit may have to ask a password for waits
    // for as long as that takes. Neither function is called when the daemon went away before it answered: serviceGone tells instead.
    void call(const Request &request, OnAnswer onAnswer, OnError onError);
    bool exportObject(const QString &path, QObject *object);
    // Whether a message comes from the daemon, and not from another program that calls our object.
    bool isFromDaemon(const QDBusMessage &message) const;

Q_SIGNALS:
    void serviceAppeared();
    void serviceGone();
    void protectionChanged();
    void rulesChanged();
    void labelsChanged();
    void logAdded();
    void sessionsChanged();

private Q_SLOTS:
    // Slots by name, since QDBusConnection::connect knows no pointers to members.
    void onProtectionChanged();
    void onRulesChanged(uint uid);
    void onLabelsChanged(uint uid);
    void onLogAdded(uint uid, qulonglong id);
    void onSessionsChanged(uint uid);

private:
    void subscribe();
    void onOwnerChanged(const QString &name, const QString &oldOwner, const QString &newOwner);
    void askForOwner();

    QDBusConnection m_bus;
    QDBusServiceWatcher m_watcher;
    QString m_owner;
    // Counts the daemon's lives, so that a late answer of an earlier one is not taken for an answer of this one.
    quint64 m_life = 0;
};

} // namespace Tacet
