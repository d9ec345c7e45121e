// SPDX-License-Identifier: GPL-3.0-or-later
#include "notifier.h"

#include "base/questionwords.h"
#include "base/sessionlock.h"
#include "base/timestamps.h"

#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

const QString service = u"org.freedesktop.Notifications"_s;
const QString path = u"/org/freedesktop/Notifications"_s;

QDBusMessage methodCall(const QString &method, const QVariantList &arguments)
{
    auto call = QDBusMessage::createMethodCall(service, path, service, method);
    call.setArguments(arguments);
    return call;
}

int remainingMilliseconds(const Question &question)
{
    const quint64 now = boottimeMicroseconds();
    const quint64 remaining = question.expires > now ? (question.expires - now) / 1000 : 0;
    return int(std::clamp<quint64>(remaining, 1000, 3'600'000));
}

} // namespace

Notifier::Notifier(const QDBusConnection &bus, const SessionLock *lock, QObject *parent) : QObject(parent), m_bus(bus), m_lock(lock)
{
    m_bus.connect(service, path, service, u"ActionInvoked"_s, this, SLOT(onActionInvoked(uint, QString)));
    m_bus.connect(service, path, service, u"NotificationClosed"_s, this, SLOT(onNotificationClosed(uint, uint)));
    connect(m_lock, &SessionLock::changed, this, &Notifier::hideLockedNames);
}

Notifier::~Notifier()
{
    for (const Shown &shown : std::as_const(m_shown))
        closeNotification(shown.notification);
}

void Notifier::show(const Question &question)
{
    if (m_shown.size() >= maximumOpen || m_shown.contains(question.id))
        return;
    m_shown.insert(question.id, {question, 0});
    send(question, 0);
}

void Notifier::tellStoreFull()
{
    // Some servers write down what they have shown: no name, and nothing that stays.
    const QString body =
        tr("A private program cannot write any more. Delete something in it, or keep its files and start it with more room.");
    const QVariantMap hints{{u"transient"_s, true}, {u"category"_s, u"device.error"_s}, {u"desktop-entry"_s, u"org.tacet.App"_s}};
    constexpr int byTheServer = -1;
    m_bus.send(methodCall(u"Notify"_s,
                          {tr("Tacet"), 0U, u"drive-harddisk"_s, tr("Private storage is full"), body, QStringList(), hints, byTheServer}));
}

QString Notifier::bodyOf(const Question &question) const
{
    if (m_lock->mayBeLocked())
        return QuestionWords::sentenceWithoutFile(question).toHtmlEscaped();
    // Notification servers know <b> and <i> at most, as the sentence does.
    return QuestionWords::shortSentence(question);
}

void Notifier::send(const Question &question, uint replaced)
{
    QStringList actions{u"block"_s, tr("Block")};
    if (question.canSendScrubbed())
        actions << u"scrub"_s << tr("Send scrubbed");
    // The click on the notification itself. A fourth action would make LXQt hide all of them in a list.
    actions << u"default"_s << tr("Details…");
    constexpr uchar critical = 2;
    const QVariantMap hints{
        {u"urgency"_s, QVariant::fromValue(critical)},
        {u"category"_s, u"network"_s},
        {u"desktop-entry"_s, u"org.tacet.App"_s},
    };
    const QVariantList arguments{tr("Tacet"),
                                 replaced,
                                 u"tacet-question"_s,
                                 QuestionWords::title(question),
                                 bodyOf(question),
                                 actions,
                                 hints,
                                 remainingMilliseconds(question)};
    auto *watcher = new QDBusPendingCallWatcher(m_bus.asyncCall(methodCall(u"Notify"_s, arguments)), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, id = question.id](QDBusPendingCallWatcher *finished) {
        finished->deleteLater();
        const QDBusPendingReply<uint> reply = *finished;
        if (reply.isValid()) {
            onShown(id, reply.value());
            return;
        }
        m_shown.remove(id);
        Q_EMIT notShown();
    });
}

void Notifier::onShown(quint64 id, uint notification)
{
    const auto shown = m_shown.find(id);
    if (shown == m_shown.end())
        closeNotification(notification); // withdrawn meanwhile
    else
        shown->notification = notification;
}

void Notifier::close(quint64 id)
{
    closeNotification(m_shown.take(id).notification);
}

void Notifier::closeNotification(uint notification)
{
    if (notification != 0)
        m_bus.send(methodCall(u"CloseNotification"_s, {notification}));
}

void Notifier::hideLockedNames()
{
    for (const Shown &shown : std::as_const(m_shown)) {
        if (shown.notification != 0)
            send(shown.question, shown.notification);
    }
}

quint64 Notifier::idOf(uint notification) const
{
    for (const Shown &shown : m_shown) {
        if (shown.notification == notification && notification != 0)
            return shown.question.id;
    }
    return 0;
}

void Notifier::onActionInvoked(uint notification, const QString &action)
{
    const quint64 id = idOf(notification);
    if (id == 0)
        return;
    if (action == "block"_L1)
        Q_EMIT answerChosen(id, {.verdict = Verdict::Block, .duration = Duration::Once, .scope = {}});
    else if (action == "scrub"_L1)
        Q_EMIT answerChosen(id, {.verdict = Verdict::Scrub, .duration = Duration::Once, .scope = {}});
    else
        Q_EMIT detailsChosen(id);
}

void Notifier::onNotificationClosed(uint notification, uint)
{
    m_shown.remove(idOf(notification));
}

} // namespace Tacet
