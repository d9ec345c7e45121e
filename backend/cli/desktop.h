// SPDX-License-Identifier: GPL-3.0-or-later
// The desktop that this program runs on.
#pragma once

#include <cstdint>

namespace tacet::cli {

enum class DesktopKind { None, X11, Wayland };

DesktopKind desktop_kind();

struct Size {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

// Returns a good size for a new large window, in pixels.
Size large_window_size();

} // namespace tacet::cli
