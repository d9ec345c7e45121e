// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/ssh_agent_relay.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <vector>

#include "cli/ssh_agent_filter.h"
#include "cli/value_of.h"
#include "common/socket_address.h"
#include "common/unique_fd.h"

namespace tacet::cli {
namespace {

constexpr std::size_t connections_max = 32; // at a time

std::runtime_error failure(const std::string& what)
{
    return std::runtime_error(what + ": " + std::strerror(errno));
}

UniqueFd make_socket()
{
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket)
        throw failure("no socket");
    return socket;
}

UniqueFd connect_to(const sockaddr_un& address)
{
    UniqueFd socket = make_socket();
    if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
        throw failure("the SSH agent does not answer");
    return socket;
}

UniqueFd listen_at(const std::string& path)
{
    const sockaddr_un address = value_of(socket_address(path));
    UniqueFd socket = make_socket();
    if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0
        || listen(socket.get(), static_cast<int>(connections_max)) != 0)
        throw failure("no socket for the SSH agent");
    return socket;
}

bool receive(const UniqueFd& socket, char* data, std::size_t size)
{
    return recv(socket.get(), data, size, MSG_WAITALL) == static_cast<ssize_t>(size);
}

bool pass_on(const UniqueFd& socket, std::string_view message)
{
    return send(socket.get(), message.data(), message.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(message.size());
}

// A whole message with its length, or nothing when the other side is gone or sends what is none.
std::optional<std::string> read_message(const UniqueFd& socket)
{
    std::string message(agent_length_size, '\0');
    if (!receive(socket, message.data(), message.size()))
        return std::nullopt;
    const std::size_t size = agent_body_size(message);
    message.resize(agent_length_size + size);
    if (size == 0 || !receive(socket, message.data() + agent_length_size, size))
        return std::nullopt;
    return message;
}

// The agent answers each request before the next one is read.
void serve(const UniqueFd& program, const sockaddr_un& agent_address)
{
    const UniqueFd agent = connect_to(agent_address);
    while (const auto request = read_message(program)) {
        std::optional<std::string> answer = agent_refusal();
        if (is_agent_request_allowed(std::string_view(*request).substr(agent_length_size)))
            answer = pass_on(agent, *request) ? read_message(agent) : std::nullopt;
        if (!answer || !pass_on(program, *answer))
            return;
    }
}

[[noreturn]] void serve_and_exit(const UniqueFd& program, const sockaddr_un& agent_address)
{
    try {
        serve(program, agent_address);
    } catch (const std::exception&) {
        _exit(EXIT_FAILURE); // the agent has gone: so does the connection
    }
    _exit(EXIT_SUCCESS);
}

void forget_ended(std::vector<pid_t>& children)
{
    std::erase_if(children, [](pid_t child) { return waitpid(child, nullptr, WNOHANG) == child; });
}

// Serves each connection by a process of its own, until the parent has ended.
void serve_all(const UniqueFd& listener, const UniqueFd& parent, const sockaddr_un& agent_address)
{
    std::vector<pid_t> children;
    for (;;) {
        std::array<pollfd, 2> files{{{listener.get(), POLLIN, 0}, {parent.get(), POLLIN, 0}}};
        if (poll(files.data(), files.size(), -1) < 0 && errno != EINTR)
            break;
        if (files[1].revents != 0)
            break;
        if (files[0].revents == 0)
            continue;
        const UniqueFd program(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        forget_ended(children);
        if (!program || children.size() >= connections_max)
            continue;
        const pid_t child = fork();
        if (child == 0)
            serve_and_exit(program, agent_address);
        if (child > 0)
            children.push_back(child);
    }
    for (const pid_t child : children)
        kill(child, SIGKILL);
}

// The terminal, and whoever waits for the end of our output, do not wait for this process. It ends by its parent's end, not by
// signals, so that it takes the socket away also when systemd ends the unit in which both ran.
void leave_terminal()
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    setsid();
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        dup2(null, file);
}

// Closes all but these, which keep their numbers.
void close_all_but(int one, int other)
{
    const auto low = static_cast<unsigned>(std::min(one, other));
    const auto high = static_cast<unsigned>(std::max(one, other));
    close_range(STDERR_FILENO + 1, low - 1, 0);
    close_range(low + 1, high - 1, 0);
    close_range(high + 1, ~0U, 0);
}

} // namespace

SshAgentRelay::SshAgentRelay()
{
    const char* agent = getenv("SSH_AUTH_SOCK");
    if (agent == nullptr || *agent == '\0')
        throw std::runtime_error("there is no SSH agent: SSH_AUTH_SOCK is not set");
    const sockaddr_un agent_address = value_of(socket_address(agent));
    static_cast<void>(connect_to(agent_address));
    const char* runtime = getenv("XDG_RUNTIME_DIR");
    // The last six letters are chosen by mkdtemp().
    std::string folder = std::string(runtime != nullptr ? runtime : "/tmp") + "/tacet-agent-XXXXXX";
    const std::string name = "/socket";
    static_cast<void>(value_of(socket_address(folder + name)));
    if (mkdtemp(folder.data()) == nullptr)
        throw failure("no folder " + folder);
    path_ = folder + name;
    const UniqueFd listener = listen_at(path_);
    const UniqueFd parent(static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0)));
    const pid_t child = parent ? fork() : -1;
    if (child < 0)
        throw failure("no process for the SSH agent");
    if (child > 0)
        return;
    leave_terminal();
    close_all_but(listener.get(), parent.get());
    serve_all(listener, parent, agent_address);
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    _exit(EXIT_SUCCESS);
}

} // namespace tacet::cli
