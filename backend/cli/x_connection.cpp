// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/x_connection.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

#include "common/x_authority.h"

namespace tacet::cli {
namespace {

// By its path: the abstract address of the same name is anybody's, and would be given the cookie.
int connect_socket(const std::string& display)
{
    const std::string path = "/tmp/.X11-unix/X" + display.substr(1);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
        close(file);
        throw std::runtime_error("no connection to the display " + display);
    }
    return file;
}

xcb_connection_t* connect_with_cookie(const std::string& display, const std::string& cookie)
{
    std::string name = "MIT-MAGIC-COOKIE-1";
    XCookie data = parse_cookie(cookie);
    xcb_auth_info_t key{static_cast<int>(name.size()), name.data(), static_cast<int>(data.size()),
                        reinterpret_cast<char*>(data.data())};
    return xcb_connect_to_fd(connect_socket(display), &key);
}

xcb_connection_t* connect_to_desktop(int& ret_screen)
{
    return xcb_connect(nullptr, &ret_screen);
}

} // namespace

XConnection::XConnection(xcb_connection_t* connection, int screen) : connection_(connection, xcb_disconnect)
{
    if (is_broken())
        throw std::runtime_error("no connection to the display");
    auto screens = xcb_setup_roots_iterator(xcb_get_setup(connection));
    while (screens.rem > 1 && screen-- > 0)
        xcb_screen_next(&screens);
    screen_ = screens.data;
}

XConnection::XConnection() : connection_(nullptr, xcb_disconnect)
{
    int screen = 0;
    xcb_connection_t* connection = connect_to_desktop(screen);
    *this = XConnection(connection, screen);
}

XConnection::XConnection(const std::string& display, const std::string& cookie)
    : XConnection(connect_with_cookie(display, cookie), 0)
{
}

xcb_atom_t XConnection::atom(const std::string& name) const
{
    const auto cookie = xcb_intern_atom(get(), 0, static_cast<std::uint16_t>(name.size()), name.c_str());
    const XReply<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(get(), cookie, nullptr));
    return reply == nullptr ? xcb_atom_t{XCB_ATOM_NONE} : reply->atom;
}

xcb_window_t XConnection::make_hidden_window() const
{
    const xcb_window_t window = xcb_generate_id(get());
    const std::uint32_t events = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_create_window(get(), XCB_COPY_FROM_PARENT, window, screen().root, -1, -1, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &events);
    return window;
}

} // namespace tacet::cli
