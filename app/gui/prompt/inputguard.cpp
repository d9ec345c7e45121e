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

bool InputGuard::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::KeyPress:
        // A key held down since before the window appeared repeats into it.
        if (concerns(watched) && static_cast<QKeyEvent *>(event)->isAutoRepeat())
            return qobject_cast<QAbstractButton *>(watched) || !isOpen();
        if (concerns(watched) && !isOpen()) {
            close();
            return true;
        }
        return false;
    case QEvent::KeyRelease:
    case QEvent::Shortcut:
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
        return concerns(watched) && !isOpen();
    default:
        return false;
    }
}

} // namespace Tacet
