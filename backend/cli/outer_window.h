// SPDX-License-Identifier: GPL-3.0-or-later
// The window on the person's desktop in which a nested server shows a session. The nested servers end when their own window is
// closed, and the session's programs with them, whatever is unsaved; so this program is asked first.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace tacet::cli {

class OuterWindow {
public:
    virtual ~OuterWindow() = default;

    // What the nested server's command line has more.
    virtual std::vector<std::string> server_arguments() const = 0;
    // To be called in the nested server's process.
    virtual void enter_server() const = 0;
    // To be called when the nested server runs, or will not.
    virtual void leave_server() = 0;
    // Readable when handle_events() has something to do.
    virtual int file() const = 0;
    // Returns whether the person wants to close the window.
    virtual bool handle_events() = 0;
    // It is not shown any more, as the desktop has ended, or has taken it away.
    virtual bool is_gone() const = 0;
};

// title: "Private: NAME". Throws std::runtime_error when there is no desktop.
std::unique_ptr<OuterWindow> open_outer_window(const std::string& title);

} // namespace tacet::cli
