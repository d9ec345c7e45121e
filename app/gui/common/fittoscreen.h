// SPDX-License-Identifier: GPL-3.0-or-later
// Limits for the size of windows.
#pragma once

#include <QSize>

class QWidget;

namespace Tacet {

// The share of the screen that a window may take; the rest is for its frame and title.
QSize spaceOnScreen(const QWidget *window);

// Gives the window this size, or as much of it as there is. A visible one that grew must not push its buttons off the screen.
// On Wayland, where windows cannot move themselves, the compositor does this.
void fitToScreen(QWidget *window, QSize wanted);

} // namespace Tacet
