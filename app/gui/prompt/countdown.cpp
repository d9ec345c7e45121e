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
    const auto when = QDateTime::currentDateTime().addMSecs(remainingMilliseconds());
    setText(tr("The countdown is stopped and this window stays open. Without an answer, Tacet still blocks at %1.")
                .arg(QLocale().toString(when.time(), u"HH:mm:ss"_s)));
    Q_EMIT held();
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
    setText(seconds > 0 ? tr("Blocked in %n second(s) unless you answer.", nullptr, seconds) : tr("Time is up: Tacet blocks."));
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
