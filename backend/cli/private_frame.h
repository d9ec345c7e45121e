// SPDX-License-Identifier: GPL-3.0-or-later
// The coloured frame around a private display, drawn from outside: no program of the session can take it away or cover it for
// long.
#pragma once

#include <array>
#include <chrono>
#include <vector>

#include "cli/x_connection.h"

namespace tacet::cli {

class PrivateFrame {
public:
    // name: written at the upper edge; empty where the window's own title says it. notice: written in the middle until a
    // program shows a window. Throws std::runtime_error.
    PrivateFrame(XConnection connection, const std::string& name, const std::string& notice);

    int file() const { return connection_.file(); }
    bool is_broken() const { return connection_.is_broken(); }
    // Follows the display's size and stays on top. To be called when the file is readable.
    void handle_events();
    // Asks all programs to close their windows, as a title bar's button does. Returns whether there were any.
    bool ask_to_close();
    // Whether a program shows a window.
    bool has_windows() const { return !program_windows().empty(); }
    // Writes a line at the lower edge; an empty text takes it away.
    void warn(const std::string& text);

private:
    using Clock = std::chrono::steady_clock;

    void make_edges();
    void place_edges();
    void make_strip(const std::string& name);
    void place_strip();
    void show_notice(const std::string& text);
    void hide_notice();
    void place_notice();
    std::vector<xcb_window_t> program_windows() const;
    xcb_gcontext_t make_text(xcb_window_t window, std::uint32_t behind);
    void name_window(xcb_window_t window, const std::string& name);
    void draw(xcb_window_t window);
    void raise(xcb_window_t window);
    void handle(const xcb_generic_event_t& event);

    XConnection connection_;
    std::uint16_t width_ = 0;
    std::uint16_t height_ = 0;
    std::array<xcb_window_t, 4> edges_{}; // top, bottom, left, right
    xcb_window_t strip_ = XCB_NONE;
    xcb_gcontext_t strip_text_ = XCB_NONE;
    std::string name_;
    xcb_atom_t client_list_;
    xcb_window_t notice_window_ = XCB_NONE; // while there is a notice
    bool is_starting_ = true;               // no program has shown a window yet
    xcb_gcontext_t notice_text_ = XCB_NONE;
    std::string notice_;
    Clock::time_point second_; // in which were so many
    unsigned raised_ = 0;
};

} // namespace tacet::cli
