// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/authentication.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

#include "common/unique_fd.h"

namespace tacet::cli {
namespace {

constexpr const char* agent_program = "/usr/bin/pkttyagent";
constexpr int registration_ms = 5000;
constexpr int notify_fd = 3;

} // namespace

TerminalAuthentication::TerminalAuthentication()
{
    if (geteuid() == 0 || isatty(STDIN_FILENO) == 0 || access(agent_program, X_OK) != 0)
        return;
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return;
    const UniqueFd registered(ends[0]);
    UniqueFd notify(ends[1]);
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, notify.get(), notify_fd);
    std::string fd_text = std::to_string(notify_fd);
    std::string process = std::to_string(getpid());
    std::string name = "pkttyagent";
    std::string fd_option = "--notify-fd";
    std::string process_option = "--process";
    std::string fallback = "--fallback";
    const std::array<char*, 7> arguments{name.data(),    fd_option.data(), fd_text.data(), process_option.data(),
                                         process.data(), fallback.data(),  nullptr};
    if (posix_spawn(&agent_, agent_program, &actions, nullptr, arguments.data(), environ) != 0)
        agent_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    notify = UniqueFd();
    pollfd waiting{registered.get(), POLLIN | POLLHUP, 0};
    poll(&waiting, 1, registration_ms);
}

TerminalAuthentication::~TerminalAuthentication()
{
    if (agent_ <= 0)
        return;
    kill(agent_, SIGTERM);
    waitpid(agent_, nullptr, 0);
}

} // namespace tacet::cli
