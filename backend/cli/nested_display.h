// SPDX-License-Identifier: GPL-3.0-or-later
// An X server in a window of the person's desktop, for the programs of one private session: Xephyr on X11, Xwayland on Wayland.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "cli/outer_window.h"
#include "common/unique_fd.h"

namespace tacet::cli {

class NestedDisplay {
public:
    // outer: where it is shown; it is there longer than this. Throws std::runtime_error when it does not start, and when
    // something that it needs is not installed.
    explicit NestedDisplay(OuterWindow& outer);
    ~NestedDisplay();
    NestedDisplay(const NestedDisplay&) = delete;
    NestedDisplay& operator=(const NestedDisplay&) = delete;

    const std::string& address() const { return address_; } // ":5"
    const std::string& cookie() const { return cookie_; }   // hexadecimal
    // Readable when the server is gone.
    int file() const { return process_file_.get(); }
    bool is_gone() const;

private:
    void start(const std::vector<std::string>& command, OuterWindow& outer);

    pid_t process_ = -1;
    UniqueFd process_file_;
    std::string address_;
    std::string cookie_;
};

} // namespace tacet::cli
