// SPDX-License-Identifier: GPL-3.0-or-later
// Between the person's terminal and the one that a private session has in its place.
#pragma once

#include <poll.h>
#include <termios.h>

#include <string>

#include "cli/terminal_filter.h"
#include "common/unique_fd.h"

namespace tacet::cli {

class TerminalRelay {
public:
    ~TerminalRelay() { leave(); }
    TerminalRelay();
    TerminalRelay(const TerminalRelay&) = delete;
    TerminalRelay& operator=(const TerminalRelay&) = delete;

    // master: the other side of the session's terminal.
    void start(UniqueFd master);
    // Shows the output that is left and restores the person's terminal.
    void finish();

    // The descriptors to wait for, the longest wait, and the action afterwards.
    void prepare(pollfd& ret_input, pollfd& ret_master);
    int patience_ms() const;
    void pass_on(const pollfd& input, const pollfd& master);

    // The person's terminal got another size, or came back to us.
    void resize();
    // The person's terminal as it was, until more comes to be passed on.
    void leave();
    // Keys that the person types go to the session.
    bool is_typed_to() const { return raw_; }

private:
    void enter();
    void take_input();
    void send_input();
    bool show_output();

    UniqueFd master_;
    int input_ = -1;  // standard input when it is a terminal
    int screen_ = -1; // the terminal to write to
    bool raw_ = false;
    termios before_{};
    TerminalFilter filter_;
    std::string typed_; // and not yet taken
};

} // namespace tacet::cli
