// SPDX-License-Identifier: GPL-3.0-or-later
// The same questions as desktop notifications with actions. Speaks org.freedesktop.Notifications, the protocol behind
// libnotify, through Qt: libnotify waits for its answers, and a hung notification daemon would freeze the prompt.
#pragma once

#include "base/question.h"

#include <QDBusConnection>
#include <QHash>
#include <QObject>

namespace Tacet {

class SessionLock;

class Notifier : public QObject
{
    Q_OBJECT

public:
    // More at a time say nothing that the prompt does not say better.
    static constexpr int maximumOpen = 5;

    Notifier(const QDBusConnection &bus, const SessionLock *lock, QObject *parent = nullptr);
    ~Notifier() override;

    void show(const Question &question);
    void close(quint64 id);
    // A private session's.
    void tellStoreFull();

Q_SIGNALS:
    void answerChosen(quint64 id, const Tacet::Answer &answer);
    void detailsChosen(quint64 id);
    // There is nobody to show notifications.
    void notShown();

private Q_SLOTS:
    void onActionInvoked(uint notification, const QString &action);
    void onNotificationClosed(uint notification, uint reason);

private:
    struct Shown
    {
        Question question;
        uint notification = 0; // 0: the notification daemon has not answered yet
    };

    void send(const Question &question, uint replaced);
    void onShown(quint64 id, uint notification);
    void hideLockedNames();
    void closeNotification(uint notification);
    QString bodyOf(const Question &question) const;
    quint64 idOf(uint notification) const;

    QDBusConnection m_bus;
    const SessionLock *m_lock;
    QHash<quint64, Shown> m_shown;
};

} // namespace Tacet
