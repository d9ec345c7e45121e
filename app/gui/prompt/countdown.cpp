// SPDX-License-Identifier: GPL-3.0-or-later
#include "countdown.h"

#include <QDateTime>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

Countdown::Countdown(Clock clock, QWidget *parent)
    : QWidget(parent), m_clock(std::move(clock)), m_text(new QLabel(this)), m_bar(new QProgressBar(this))
{
    m_text->setObjectName(u"countdownText"_s);
    m_text->setWordWrap(true);
    m_bar->setObjectName(u"countdownBar"_s);
    m_bar->setAccessibleName(tr("Time left to answer"));
    m_bar->setTextVisible(false);
    m_bar->setMaximumHeight(fontMetrics().height() / 2);
    QSizePolicy keepsItsPlace = m_bar->sizePolicy();
    keepsItsPlace.setRetainSizeWhenHidden(true);
    m_bar->setSizePolicy(keepsItsPlace);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_text);
    layout->addWidget(m_bar);

    m_tick.setInterval(250);
    connect(&m_tick, &QTimer::timeout, this, &Countdown::refresh);
}

void Countdown::start(quint64 expires)
{
    m_expires = expires;
    m_held = false;
    m_extended = false;
    m_bar->setRange(0, int(std::clamp<qint64>(remainingMilliseconds(), 1, 3'600'000)));
    m_bar->show();
    m_tick.start();
    refresh();
}

void Countdown::hold()
{
    if (m_held || !m_tick.isActive())
        return;
    m_held = true;
    m_tick.stop();
    m_bar->hide();
    setText(endText(m_extended));
    Q_EMIT held();
}

void Countdown::setExpires(quint64 expires)
{
    m_extended = m_extended || expires > m_expires;
    m_expires = expires;
    if (m_held)
        setText(endText(m_extended));
}

// Until the daemon has given more time, the old end is true.
QString Countdown::endText(bool extended) const
{
    const auto when = QDateTime::currentDateTime().addMSecs(remainingMilliseconds());
    const QString time = QLocale().toString(when.time(), u"HH:mm:ss"_s);
    return extended ? tr("The countdown is stopped. Answer by %1, or Tacet blocks.").arg(time)
                    : tr("Without an answer, Tacet blocks at %1.").arg(time);
}

QString Countdown::secondsText(int seconds)
{
    return seconds > 0 ? tr("Blocked in %n second(s) unless you answer.", nullptr, seconds) : tr("Time is up: Tacet blocks.");
}

void Countdown::reserveHeight(int width)
{
    QLabel longest;
    longest.setFont(m_text->font());
    longest.setWordWrap(true);
    int height = 0;
    for (const QString &text : {m_text->text(), endText(true), endText(false), secondsText(60)}) {
        longest.setText(text);
        height = qMax(height, longest.heightForWidth(width));
    }
    m_text->setMinimumHeight(height);
}

void Countdown::showExpired()
{
    m_tick.stop();
    m_bar->hide();
    setText(tr("Blocked, because nobody answered in time. You can still decide for the next time."));
}

qint64 Countdown::remainingMilliseconds() const
{
    const quint64 now = m_clock();
    return m_expires > now ? qint64((m_expires - now) / 1000) : 0;
}

void Countdown::refresh()
{
    const qint64 remaining = remainingMilliseconds();
    m_bar->setValue(int(qMin<qint64>(remaining, m_bar->maximum())));
    const int seconds = int((remaining + 999) / 1000);
    setText(secondsText(seconds));
    if (seconds == 0)
        m_tick.stop();
}

// Setting the same text again would make a screen reader say it again.
void Countdown::setText(const QString &text)
{
    if (m_text->text() != text)
        m_text->setText(text);
}

} // namespace Tacet
