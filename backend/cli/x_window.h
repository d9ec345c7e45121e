// SPDX-License-Identifier: GPL-3.0-or-later
// A session's window on an X11 desktop: Xephyr draws into a window of ours, which has the session's name and an icon.
#pragma once

#include "cli/outer_window.h"
#include "cli/x_connection.h"

namespace tacet::cli {

class XWindow : public OuterWindow {
public:
    // Throws std::runtime_error.
    explicit XWindow(const std::string& title);

    std::vector<std::string> server_arguments() const override;
    void enter_server() const override {}
    void leave_server() override {}
    int file() const override { return desktop_.file(); }
    bool handle_events() override;
    bool is_gone() const override { return desktop_.is_broken() || destroyed_; }

private:
    void describe(const std::string& title);
    bool handle(xcb_generic_event_t& event);
    void fill() const;

    XConnection desktop_;
    xcb_window_t window_ = XCB_NONE;
    xcb_window_t server_ = XCB_NONE; // Xephyr's, inside ours
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    bool destroyed_ = false;
    xcb_atom_t protocols_;
    xcb_atom_t close_;
};

} // namespace tacet::cli
