// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a window that appeared by itself from taking a click or key that was meant for another.
#pragma once

#include <QDeadlineTimer>
#include <QObject>
#include <QWidget>

namespace Tacet {

class InputGuard : public QObject
{
    Q_OBJECT

public:
    static constexpr int milliseconds = 500;

    explicit InputGuard(QWidget *window);

    // Input is dropped for the next half second; and longer while a person keeps typing, since a Wayland compositor
    // may have moved the keyboard focus here in the middle of a word.
    void close();
    // Accessibility clients press buttons without input events: whoever acts on a press asks this too.
    bool isOpen() const { return m_opens.hasExpired(); }

    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool concerns(QObject *watched) const;

    QWidget *m_window;
    QDeadlineTimer m_opens;
};

} // namespace Tacet
