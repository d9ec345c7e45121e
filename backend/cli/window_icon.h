// SPDX-License-Identifier: GPL-3.0-or-later
// The icon of a private session's window on an X11 desktop, for its title and the task bar.
#pragma once

#include <string>

namespace tacet::cli {

inline constexpr const char* window_class = "tacet-private";

// Gives it to the windows of our class with this title. Best effort: without it the desktop takes one of its own.
void set_window_icon(const std::string& title);

} // namespace tacet::cli
