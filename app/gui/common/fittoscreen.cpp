// SPDX-License-Identifier: GPL-3.0-or-later
#include "fittoscreen.h"

#include <QScreen>
#include <QWidget>

namespace Tacet {

QSize spaceOnScreen(const QWidget *window)
{
    return window->screen()->availableSize() - QSize(0, window->fontMetrics().height() * 3);
}

void fitToScreen(QWidget *window, QSize wanted)
{
    window->resize(wanted.boundedTo(spaceOnScreen(window)));
    if (!window->isVisible())
        return;
    const QRect space = window->screen()->availableGeometry();
    const QRect frame = window->frameGeometry();
    const QSize outer = window->size() + frame.size() - window->geometry().size();
    const QPoint inside(qBound(space.left(), frame.left(), qMax(space.left(), space.right() + 1 - outer.width())),
                        qBound(space.top(), frame.top(), qMax(space.top(), space.bottom() + 1 - outer.height())));
    if (inside != frame.topLeft())
        window->move(inside);
}

} // namespace Tacet
