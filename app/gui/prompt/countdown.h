// SPDX-License-Identifier: GPL-3.0-or-later
// Shows how long a question stays open. It decides nothing: the daemon's clock does.
#pragma once

#include <QTimer>
#include <QWidget>

#include <functional>

class QLabel;
class QProgressBar;

namespace Tacet {

class Countdown : public QWidget
{
    Q_OBJECT

public:
    // CLOCK_BOOTTIME in microseconds; tests bring their own.
    using Clock = std::function<quint64()>;

    explicit Countdown(Clock clock, QWidget *parent = nullptr);

    void start(quint64 expires);
    // The person is reading: the time at which the daemon blocks is given instead, and more is asked for by held().
    void hold();
    // The daemon gave more time.
    void setExpires(quint64 expires);
    bool isHeld() const { return m_held; }
    void showExpired();
    // Keeps room, at this width in pixels, for all that is said while a question is open. A button that moved while the person
    // clicks it would lose the click.
    void reserveHeight(int width);

Q_SIGNALS:
    void held();

private:
    qint64 remainingMilliseconds() const;
    void refresh();
    QString endText(bool extended) const;
    static QString secondsText(int seconds);
    void setText(const QString &text);

    Clock m_clock;
    QLabel *m_text;
    QProgressBar *m_bar;
    QTimer m_tick;
    quint64 m_expires = 0;
    bool m_held = false;
    bool m_extended = false;
};

} // namespace Tacet
