// SPDX-License-Identifier: GPL-3.0-or-later
// A window as a surface of wlr-layer-shell: on Wayland it is the only one that appears above others and leaves the keyboard alone.
#pragma once

class QWidget;

namespace Tacet::LayerSurface {

// The program shows its windows on Wayland.
bool isWanted();
// The compositor has wlr-layer-shell. GNOME's has not.
bool isOffered();
// Before the window is shown for the first time. It has no title bar then.
void make(QWidget *window);
// Whether a click gives the window the keyboard; at first none does.
void setKeyboard(QWidget *window, bool onDemand);

} // namespace Tacet::LayerSurface
