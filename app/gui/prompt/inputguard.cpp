// SPDX-License-Identifier: GPL-3.0-or-later
#include "inputguard.h"

#include <QAbstractButton>
#include <QApplication>
#include <QKeyEvent>

namespace Tacet {

InputGuard::InputGuard(QWidget *window) : QObject(window), m_window(window)
{
    qApp->installEventFilter(this);
}

void InputGuard::close()
{
    m_opens.setRemainingTime(milliseconds, Qt::PreciseTimer);
}

bool InputGuard::concerns(QObject *watched) const
{
    const auto *widget = qobject_cast<QWidget *>(watched);
    return widget && widget->window() == m_window;
}

void InputGuard::setActivated(bool activated)
{
    const bool isNew = activated && !m_activated;
    m_activated = activated;
    if (isNew)
        Q_EMIT this->activated();
}

bool InputGuard::dropsKey(QObject *watched, QKeyEvent *event)
{
    // A key held down since before the window appeared repeats into it.
    if (event->isAutoRepeat())
        return qobject_cast<QAbstractButton *>(watched) || !isOpen() || !m_activated;
    if (!isOpen())
        close();
    return drops(event, true);
}

bool InputGuard::drops(QEvent *event, bool isKey)
{
    if (!isOpen() || (isKey && !m_activated))
        return true;
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::TouchBegin:
    case QEvent::TabletPress:
        setActivated(true);
        [[fallthrough]];
    case QEvent::KeyPress:
    case QEvent::Wheel:
        Q_EMIT used();
        break;
    default:
        break;
    }
    return false;
}

bool InputGuard::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::KeyPress:
        return concerns(watched) && dropsKey(watched, static_cast<QKeyEvent *>(event));
    case QEvent::KeyRelease:
    case QEvent::Shortcut:
        return concerns(watched) && drops(event, true);
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
    case QEvent::TouchBegin:
    case QEvent::TouchUpdate:
    case QEvent::TouchEnd:
    case QEvent::TabletPress:
    case QEvent::TabletRelease:
    case QEvent::Wheel:
    case QEvent::ContextMenu:
        return concerns(watched) && drops(event, false);
    case QEvent::WindowDeactivate:
        // A menu of its own takes no activation away. Another window does.
        if (watched == m_window)
            setActivated(false);
        return false;
    default:
        return false;
    }
}

} // namespace Tacet
