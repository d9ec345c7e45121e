// SPDX-License-Identifier: GPL-3.0-or-later
// PID 1 of a private session. It starts the session's programs, reaps them, reports what happens, and ends with the last of
// them.
#pragma once

#include <chrono>
#include <optional>

#include "common/channel.h"
#include "common/session_request.h"
#include "session/control_group.h"
#include "session/resolver_files.h"

namespace tacet {

// The program's standard files, and the process that waits for it.
struct Terminal {
    UniqueFd input;
    UniqueFd output;
    UniqueFd error;
    UniqueFd client; // a channel: tells "terminal", "input", "output", "error" with the other side of what the session
                     // has in place of the file, "stopped", "full", "room", "waiting", "daemon lost", "exit N" or
                     // "failed WHY";
                     // takes "signal N"
};

class Supervisor {
public:
    // control: the channel to tacetd. The session ends when it closes, and when no tacetd has come in place of one that died.
    // keeper: the keeper's channel. store: for its usage.
    // resolver: kept as the machine's.
    Supervisor(const SessionRequest& request, Terminal terminal, Groups groups, UniqueFd control, UniqueFd keeper, UniqueFd store,
               ResolverFiles resolver);

    // Returns when all is over. Processes that still run then end with the caller.
    Result<void> run();

private:
    using Clock = std::chrono::steady_clock;

    Result<void> start();
    Result<void> start_bus();
    Result<void> start_display();
    Result<pid_t> spawn(const std::vector<std::string>& command, const UniqueFd& group, bool main);
    [[noreturn]] void become(const std::vector<std::string>& command, const UniqueFd& group, bool main, int failures) const;
    static void wait_for_client();
    void wait_for_news();
    void reap();
    void take_control();
    void take_client();
    void describe();
    void look_for_daemon();
    void tell(const std::string& text) const;
    void wait_for_end();
    void tell_usage();
    bool programs_run() const;
    bool agents_linger() const;
    void end();

    const SessionRequest& request_;
    Terminal terminal_;
    Groups groups_;
    UniqueFd control_;
    UniqueFd keeper_;
    UniqueFd store_;
    ResolverFiles resolver_;
    UniqueFd signals_;
    UniqueFd bus_; // until its daemon has it
    pid_t main_ = 0;
    UniqueFd daemon_; // a pidfd; empty: tacetd has died
    std::chrono::steady_clock::time_point daemon_lost_;
    bool ending_ = false;
    bool is_waiting_ = false;
    bool has_terminal_ = false;
    static constexpr std::uint64_t unknown_usage = ~std::uint64_t{0};
    std::uint64_t told_usage_ = unknown_usage;
    std::chrono::steady_clock::time_point usage_told_;
    bool told_full_ = false;
};

} // namespace tacet
