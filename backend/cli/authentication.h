// SPDX-License-Identifier: GPL-3.0-or-later
// polkit's password question on this terminal, where no desktop asks it.
#pragma once

#include <sys/types.h>

namespace tacet::cli {

// Runs pkttyagent while it lives; does nothing without a terminal, for root, or where pkttyagent is missing.
class TerminalAuthentication {
public:
    TerminalAuthentication();
    ~TerminalAuthentication();
    TerminalAuthentication(const TerminalAuthentication&) = delete;
    TerminalAuthentication& operator=(const TerminalAuthentication&) = delete;

private:
    pid_t agent_ = -1;
};

} // namespace tacet::cli
