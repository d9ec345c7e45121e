// SPDX-License-Identifier: GPL-3.0-or-later
// Shows how long a question stays open. It decides nothing: the daemon's clock does, also after the counting stopped.
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
    // The person is reading: counting stops, and the time at which the daemon blocks is given instead.
    void hold();
    bool isHeld() const { return m_held; }
    void showExpired();

Q_SIGNALS:
    void held();

private:
    qint64 remainingMilliseconds() const;
    void refresh();
    void setText(const QString &text);

    Clock m_clock;
    QLabel *m_text;
    QProgressBar *m_bar;
    QTimer m_tick;
    quint64 m_expires = 0;
    bool m_held = false;
};

} // namespace Tacet
