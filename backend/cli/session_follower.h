// SPDX-License-Identifier: GPL-3.0-or-later
// Follows a private session for tacet run: passes on signals and typed text, tells what happens.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "cli/file_relay.h"
#include "cli/private_display.h"
#include "cli/terminal_relay.h"

namespace tacet::cli {

class SessionFollower {
public:
    // channel: to the session. From here on signals wait until they are passed on.
    explicit SessionFollower(UniqueFd channel);

    // Until the session is over, or, when it waits, until the person interrupts. Returns the exit status.
    // display: when its window is gone, the program is asked to end, and ended when it does not.
    int follow(std::uint64_t id, std::unique_ptr<PrivateDisplay> display);

private:
    void serve_display();
    void signal_program(int number);
    int patience_ms() const;
    void take_signal();
    void take_message();
    void take_file(std::string_view name, UniqueFd file);
    void take_news(std::string_view text);
    void stop();
    void tell_waiting() const;

    UniqueFd channel_;
    UniqueFd signals_;
    TerminalRelay relay_;
    FileRelay files_;
    std::unique_ptr<PrivateDisplay> display_;
    std::uint64_t id_ = 0;
    int status_;
    std::optional<std::chrono::steady_clock::time_point> kill_time_; // once the window is gone
    bool waits_ = false;
    bool over_ = false;
};

} // namespace tacet::cli
