// SPDX-License-Identifier: GPL-3.0-or-later
// A key of the whole desktop on X11: grabbed from the root window, with every state of the lock keys.
#pragma once

#include "panicshortcut.h"

#include <QAbstractNativeEventFilter>

#include <vector>

struct xcb_connection_t;

namespace Tacet {

class ShortcutGrab : public PanicShortcut, public QAbstractNativeEventFilter
{
    Q_OBJECT

public:
    explicit ShortcutGrab(QObject *parent);
    ~ShortcutGrab() override;

    bool nativeEventFilter(const QByteArray &eventType, void *message, qintptr *result) override;

private:
    void grab();
    void release();
    bool grabCode(unsigned char code) const;

    xcb_connection_t *m_connection;
    unsigned m_root = 0;
    std::vector<unsigned char> m_codes; // grabbed
};

} // namespace Tacet
