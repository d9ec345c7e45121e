// SPDX-License-Identifier: GPL-3.0-or-later
// The coloured frame around a private display, drawn from outside: no program of the session can take it away or cover it for
// long.
#pragma once

#include <array>
#include <chrono>

#include "cli/x_connection.h"

namespace tacet::cli {

class PrivateFrame {
public:
    // name: written at the upper edge; empty where the window's own title says it. Throws std::runtime_error.
    PrivateFrame(XConnection connection, const std::string& name);

    int file() const { return connection_.file(); }
    bool is_broken() const { return connection_.is_broken(); }
    // Follows the display's size and stays on top. To be called when the file is readable.
    void handle_events();

private:
    using Clock = std::chrono::steady_clock;

    void make_edges();
    void place_edges();
    void make_strip(const std::string& name);
    void place_strip();
    void draw_name();
    void raise(xcb_window_t window);
    void handle(const xcb_generic_event_t& event);

    XConnection connection_;
    std::uint16_t width_ = 0;
    std::uint16_t height_ = 0;
    std::array<xcb_window_t, 4> edges_{}; // top, bottom, left, right
    xcb_window_t strip_ = XCB_NONE;
    xcb_gcontext_t text_ = XCB_NONE;
    std::string name_;
    Clock::time_point second_; // in which were so many
    unsigned raised_ = 0;
};

} // namespace tacet::cli
