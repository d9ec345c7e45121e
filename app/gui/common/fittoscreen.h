// SPDX-License-Identifier: GPL-3.0-or-later
// How large a window may be.
#pragma once

#include <QSize>

class QWidget;

namespace Tacet {

// What a window may take of its screen; the rest is for its frame and title.
QSize spaceOnScreen(const QWidget *window);

// Gives the window this size, or as much of it as there is. A visible one that grew must not push its buttons off the screen.
// Where windows cannot move themselves (Wayland) the compositor sees to it.
void fitToScreen(QWidget *window, QSize wanted);

} // namespace Tacet
