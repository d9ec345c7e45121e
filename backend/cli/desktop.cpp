// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/desktop.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "cli/x_connection.h"

namespace tacet::cli {
namespace {

constexpr Size fallback{1024, 720};
constexpr Size largest{1600, 1000};
constexpr Size smallest{640, 480};

bool is_set(const char* variable)
{
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

// Without panels, where the window manager says it.
Size work_area(const XConnection& desktop)
{
    const Size screen{desktop.screen().width_in_pixels, desktop.screen().height_in_pixels};
    const auto cookie =
        xcb_get_property(desktop.get(), 0, desktop.screen().root, desktop.atom("_NET_WORKAREA"), XCB_ATOM_CARDINAL, 0, 4);
    const XReply<xcb_get_property_reply_t> reply(xcb_get_property_reply(desktop.get(), cookie, nullptr));
    if (reply == nullptr || reply->format != 32 || xcb_get_property_value_length(reply.get()) != 4 * sizeof(std::uint32_t))
        return screen;
    const auto* area = static_cast<const std::uint32_t*>(xcb_get_property_value(reply.get())); // x, y, width, height
    return {std::min(area[2], screen.width), std::min(area[3], screen.height)};
}

} // namespace

DesktopKind desktop_kind()
{
    if (is_set("WAYLAND_DISPLAY"))
        return DesktopKind::Wayland;
    return is_set("DISPLAY") ? DesktopKind::X11 : DesktopKind::None;
}

Size large_window_size()
{
    // Wayland desktops have one too, as a rule.
    if (!is_set("DISPLAY"))
        return fallback;
    try {
        const Size room = work_area(XConnection());
        return {std::clamp(room.width * 4 / 5, smallest.width, largest.width),
                std::clamp(room.height * 4 / 5, smallest.height, largest.height)};
    } catch (const std::runtime_error&) {
        return fallback;
    }
}

} // namespace tacet::cli
