// SPDX-License-Identifier: GPL-3.0-or-later
// The exit statuses of tacet; --help and tacet(1) tell them, and they never change.
#pragma once

namespace tacet::cli {

enum ExitCode {
    exit_ok = 0,
    exit_failure = 1,
    exit_usage = 2,
    exit_daemon_absent = 3,
    exit_denied = 4,
    exit_not_found = 5,
    exit_partial = 6,
    exit_unprotected = 7,
    exit_timeout = 8,
};

} // namespace tacet::cli
