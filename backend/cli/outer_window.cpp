// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/outer_window.h"

#include <stdexcept>

#include "cli/desktop.h"
#include "cli/wayland_window.h"
#include "cli/x_window.h"

namespace tacet::cli {

std::unique_ptr<OuterWindow> open_outer_window(const std::string& title)
{
    switch (desktop_kind()) {
    case DesktopKind::Wayland:
        return std::make_unique<WaylandWindow>(title);
    case DesktopKind::X11:
        return std::make_unique<XWindow>(title);
    case DesktopKind::None:
        break;
    }
    throw std::runtime_error("there is no desktop here (WAYLAND_DISPLAY, DISPLAY); --display none runs without windows");
}

} // namespace tacet::cli
