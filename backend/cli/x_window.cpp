// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/x_window.h"

#include <array>
#include <string_view>

#include "cli/desktop.h"
#include "cli/window_icon.h"

namespace tacet::cli {
namespace {

// The instance, then the class, each with its end.
constexpr std::string_view window_class("tacet-private\0Tacet-private\0", 28);
constexpr std::uint32_t background = 0x2b2136;

} // namespace

XWindow::XWindow(const std::string& title) : protocols_(desktop_.atom("WM_PROTOCOLS")), close_(desktop_.atom("WM_DELETE_WINDOW"))
{
    const Size size = large_window_size();
    width_ = size.width;
    height_ = size.height;
    window_ = xcb_generate_id(desktop_.get());
    const std::array<std::uint32_t, 2> values{background, XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY
                                                              | XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_KEY_RELEASE};
    xcb_create_window(desktop_.get(), XCB_COPY_FROM_PARENT, window_, desktop_.screen().root, 0, 0,
                      static_cast<std::uint16_t>(width_), static_cast<std::uint16_t>(height_), 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      XCB_COPY_FROM_PARENT, XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK, values.data());
    describe(title);
    xcb_map_window(desktop_.get(), window_);
    xcb_flush(desktop_.get());
}

void XWindow::describe(const std::string& title)
{
    xcb_connection_t* server = desktop_.get();
    const auto set = [&](xcb_atom_t property, xcb_atom_t type, std::uint8_t format, std::size_t length, const void* data) {
        xcb_change_property(server, XCB_PROP_MODE_REPLACE, window_, property, type, format, static_cast<std::uint32_t>(length),
                            data);
    };
    const auto icon = make_window_icon();
    set(desktop_.atom("_NET_WM_NAME"), desktop_.atom("UTF8_STRING"), 8, title.size(), title.data());
    set(XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8, title.size(), title.data());
    set(XCB_ATOM_WM_CLASS, XCB_ATOM_STRING, 8, window_class.size(), window_class.data());
    set(desktop_.atom("_NET_WM_ICON"), XCB_ATOM_CARDINAL, 32, icon.size(), icon.data());
    set(protocols_, XCB_ATOM_ATOM, 32, 1, &close_);
}

std::vector<std::string> XWindow::server_arguments() const
{
    return {"-parent", std::to_string(window_)};
}

// Xephyr's window always has the size of ours.
void XWindow::fill() const
{
    const std::array<std::uint32_t, 2> size{width_, height_};
    if (server_ != XCB_NONE)
        xcb_configure_window(desktop_.get(), server_, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size.data());
}

bool XWindow::handle(xcb_generic_event_t& event)
{
    switch (kind_of(event)) {
    case XCB_CREATE_NOTIFY:
        server_ = reinterpret_cast<const xcb_create_notify_event_t&>(event).window;
        fill();
        break;
    case XCB_CONFIGURE_NOTIFY: {
        const auto& change = reinterpret_cast<const xcb_configure_notify_event_t&>(event);
        if (change.window != window_)
            break;
        width_ = change.width;
        height_ = change.height;
        fill();
        break;
    }
    case XCB_DESTROY_NOTIFY:
        destroyed_ = true;
        break;
    case XCB_KEY_PRESS:
    case XCB_KEY_RELEASE:
        // While the pointer is elsewhere, the window that has the focus gets the keys, and it is ours.
        if (server_ != XCB_NONE)
            xcb_send_event(desktop_.get(), 0, server_, XCB_EVENT_MASK_KEY_PRESS, reinterpret_cast<const char*>(&event));
        break;
    case XCB_CLIENT_MESSAGE: {
        const auto& message = reinterpret_cast<const xcb_client_message_event_t&>(event);
        return message.type == protocols_ && message.format == 32 && message.data.data32[0] == close_;
    }
    default:
        break;
    }
    return false;
}

bool XWindow::handle_events()
{
    bool wants_close = false;
    while (const XEvent event = desktop_.next_event())
        wants_close |= handle(*event);
    xcb_flush(desktop_.get());
    return wants_close;
}

} // namespace tacet::cli
