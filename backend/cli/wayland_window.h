// SPDX-License-Identifier: GPL-3.0-or-later
// A session's window on a Wayland desktop: it is Xwayland's, which speaks with the compositor through a process of ours.
#pragma once

#include <sys/types.h>

#include "cli/outer_window.h"
#include "common/unique_fd.h"

namespace tacet::cli {

class WaylandWindow : public OuterWindow {
public:
    // Throws std::runtime_error.
    explicit WaylandWindow(const std::string& title);
    ~WaylandWindow() override;
    WaylandWindow(const WaylandWindow&) = delete;
    WaylandWindow& operator=(const WaylandWindow&) = delete;

    std::vector<std::string> server_arguments() const override;
    void enter_server() const override;
    void leave_server() override { server_end_ = UniqueFd(); }
    int file() const override { return wishes_.get(); }
    bool handle_events() override;
    bool is_gone() const override { return is_gone_; }

private:
    UniqueFd server_end_; // the nested server's connection
    UniqueFd wishes_;     // a byte for each time that the person wants to close the window
    pid_t process_ = -1;
    bool is_gone_ = false;
};

} // namespace tacet::cli
