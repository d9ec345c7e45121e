// SPDX-License-Identifier: GPL-3.0-or-later
// The icon of a private session's window on an X11 desktop, for its title and the task bar.
#pragma once

#include <cstdint>
#include <vector>

namespace tacet::cli {

// As _NET_WM_ICON has it: width, height, then the pixels as ARGB.
std::vector<std::uint32_t> make_window_icon();

} // namespace tacet::cli
