// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a window that appeared by itself from taking a click or key that was meant for another. Clicks count after half a second.
// Keys count once the person has activated the window, by a click or from elsewhere: a compositor may give it the keyboard unasked.
#pragma once

#include <QDeadlineTimer>
#include <QObject>
#include <QWidget>

class QKeyEvent;

namespace Tacet {

class InputGuard : public QObject
{
    Q_OBJECT

public:
    static constexpr int milliseconds = 500;

    explicit InputGuard(QWidget *window);

    // Input is dropped for the next half second; and longer while a person keeps typing, who may be in the middle of a word.
    void close();
    void setActivated(bool activated);
    bool isActivated() const { return m_activated; }
    // Accessibility clients press buttons without input events: whoever acts on a press asks this too.
    bool isOpen() const { return m_opens.hasExpired(); }

    bool eventFilter(QObject *watched, QEvent *event) override;

Q_SIGNALS:
    void activated();
    // A key or a click was let in.
    void used();

private:
    bool concerns(QObject *watched) const;
    bool drops(QEvent *event, bool isKey);
    bool dropsKey(QObject *watched, QKeyEvent *event);

    QWidget *m_window;
    QDeadlineTimer m_opens;
    bool m_activated = false;
};

} // namespace Tacet
