// SPDX-License-Identifier: GPL-3.0-or-later
// An X server in a window of the person's desktop, for the programs of one private session.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace tacet::cli {

class NestedDisplay {
public:
    // title: of its window. Throws std::runtime_error when it does not start.
    explicit NestedDisplay(const std::string& title);
    ~NestedDisplay();
    NestedDisplay(const NestedDisplay&) = delete;
    NestedDisplay& operator=(const NestedDisplay&) = delete;

    // There is a desktop to put the window on, and a server to put there.
    static bool is_possible();

    const std::string& name() const { return name_; }     // ":5"
    const std::string& cookie() const { return cookie_; } // hexadecimal

private:
    pid_t server_ = -1;
    std::string name_;
    std::string cookie_;
};

} // namespace tacet::cli
