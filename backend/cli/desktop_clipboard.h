// SPDX-License-Identifier: GPL-3.0-or-later
// The clipboard of the person's desktop: X11's, or through wl-clipboard's programs on Wayland.
#pragma once

#include <string>

namespace tacet::cli {

// Throws std::runtime_error, also when there is no text.
std::string read_desktop_clipboard();
// Leaves a process behind that offers the text until another program takes the clipboard. Throws std::runtime_error.
void offer_desktop_clipboard(const std::string& text);

} // namespace tacet::cli
