// SPDX-License-Identifier: GPL-3.0-or-later
// A client's connection to an X server.
#pragma once

#include <xcb/xcb.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace tacet::cli {

struct ReplyFree {
    void operator()(void* reply) const { std::free(reply); }
};
// Owns memory that libxcb gives its caller to free.
template <typename T>
using XReply = std::unique_ptr<T, ReplyFree>;
using XEvent = XReply<xcb_generic_event_t>;

class XConnection {
public:
    // To the desktop's own server (DISPLAY). Throws std::runtime_error.
    XConnection();
    // To a server of this machine: ":5" and the cookie as hexadecimal digits. Throws std::runtime_error.
    XConnection(const std::string& display, const std::string& cookie);

    xcb_connection_t* get() const { return connection_.get(); }
    const xcb_screen_t& screen() const { return *screen_; }
    xcb_atom_t atom(const std::string& name) const;
    // A new window of this client's that nobody sees and that is told of changes of its properties.
    xcb_window_t make_hidden_window() const;
    int file() const { return xcb_get_file_descriptor(get()); }
    bool is_broken() const { return xcb_connection_has_error(get()) != 0; }
    // Does not wait; null when there is none.
    XEvent next_event() const { return XEvent(xcb_poll_for_event(get())); }

private:
    using Connection = std::unique_ptr<xcb_connection_t, void (*)(xcb_connection_t*)>;

    XConnection(xcb_connection_t* connection, int screen);

    Connection connection_;
    const xcb_screen_t* screen_ = nullptr;
};

// The event's kind, without the mark of those that another client sent.
inline unsigned kind_of(const xcb_generic_event_t& event)
{
    return event.response_type & 0x7fU;
}

} // namespace tacet::cli
