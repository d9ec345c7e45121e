// SPDX-License-Identifier: GPL-3.0-or-later
#include "panicshortcut.h"

#include "shortcutgrab.h"
#include "shortcutportal.h"

#include <QGuiApplication>
#include <QKeySequence>

using namespace Qt::StringLiterals;

namespace Tacet {

PanicShortcut *PanicShortcut::make(const QDBusConnection &sessionBus, QObject *parent)
{
    if (QGuiApplication::platformName() == "xcb"_L1)
        return new ShortcutGrab(parent);
    if (QGuiApplication::platformName().startsWith("wayland"_L1))
        return new ShortcutPortal(sessionBus, parent);
    return new PanicShortcut(parent);
}

QString PanicShortcut::defaultName()
{
    return QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_P).toString(QKeySequence::NativeText);
}

void PanicShortcut::setState(ShortcutState state, const QString &name)
{
    m_state = state;
    m_name = name;
    Q_EMIT changed();
}

} // namespace Tacet
