// SPDX-License-Identifier: GPL-3.0-or-later
// The key that ends every private session, whatever program has the keyboard.
#pragma once

#include <QDBusConnection>
#include <QObject>

namespace Tacet {

// Whether the desktop lets us have a key that works in every program.
enum class ShortcutState { Held, Taken, Unsupported };

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
