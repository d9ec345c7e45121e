// SPDX-License-Identifier: GPL-3.0-or-later
// An X server in a window of the person's desktop, for the programs of one private session: Xephyr on X11, Xwayland on Wayland.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "common/unique_fd.h"

namespace tacet::cli {

class NestedDisplay {
public:
    // title: of its window. Throws std::runtime_error when it does not start, and when something that it needs is not installed.
    explicit NestedDisplay(const std::string& title);
    ~NestedDisplay();
    NestedDisplay(const NestedDisplay&) = delete;
    NestedDisplay& operator=(const NestedDisplay&) = delete;

    const std::string& address() const { return address_; } // ":5"
    const std::string& cookie() const { return cookie_; }   // hexadecimal
    // Whether the window shows the title; Xwayland's has its own.
    bool has_title() const { return has_title_; }
    // Readable when the server is gone.
    int file() const { return process_file_.get(); }
    bool is_gone() const;

private:
    void start(const std::vector<std::string>& command);

    pid_t process_ = -1;
    UniqueFd process_file_;
    std::string address_;
    std::string cookie_;
    bool has_title_ = true;
};

} // namespace tacet::cli
