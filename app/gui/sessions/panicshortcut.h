// SPDX-License-Identifier: GPL-3.0-or-later
// The key that ends every private session, whatever program has the keyboard.
#pragma once

#include "sessionmenu.h"

#include <QDBusConnection>
#include <QObject>

namespace Tacet {

class PanicShortcut : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    // By the means of the desktop that this program runs on.
    static PanicShortcut *make(const QDBusConnection &sessionBus, QObject *parent);
    static QString defaultName();

    ShortcutState state() const { return m_state; }
    // The key in words.
    QString name() const { return m_name; }

Q_SIGNALS:
    void pressed();
    void changed();

protected:
    void setState(ShortcutState state, const QString &name);

private:
    ShortcutState m_state = ShortcutState::Unsupported;
    QString m_name = defaultName();
};

} // namespace Tacet
