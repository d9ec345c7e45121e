// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/file_relay.h"

#include <cstdint>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace tacet::cli {
namespace {

constexpr std::size_t part = std::size_t{64} * 1024;

// Waits until the source has more, or the sink room. Returns false if nobody reads from the sink any more.
bool wait_for(short source_events, short sink_events)
{
    std::array<pollfd, 2> files{{{source_events != 0 ? STDIN_FILENO : -1, source_events, 0}, {STDOUT_FILENO, sink_events, 0}}};
    while (poll(files.data(), files.size(), -1) < 0 && errno == EINTR) {
    }
    return (files[1].revents & POLLERR) == 0;
}

// Files that are shared with another program may be set not to block.
bool write_all(const char* data, std::size_t size)
{
    while (size > 0) {
        const ssize_t written = write(STDOUT_FILENO, data, size);
        if (written > 0) {
            data += written;
            size -= static_cast<std::size_t>(written);
        } else if ((errno != EINTR && errno != EAGAIN) || !wait_for(0, POLLOUT)) {
            return false;
        }
    }
    return true;
}

// Runs in the process between the two, after fork(): it uses nothing but system calls.
[[noreturn]] void carry()
{
    static std::array<char, part> data;
    while (wait_for(POLLIN, 0)) {
        const ssize_t size = read(STDIN_FILENO, data.data(), data.size());
        if (size == 0)
            _exit(EXIT_SUCCESS);
        if (size < 0 && errno != EINTR && errno != EAGAIN)
            break;
        if (size > 0 && !write_all(data.data(), static_cast<std::size_t>(size)))
            break;
    }
    _exit(EXIT_FAILURE);
}

} // namespace

FileRelay::Child FileRelay::start(int source, int sink)
{
    const pid_t number = fork();
    if (number < 0)
        throw std::runtime_error(std::string("no process for a redirected file: ") + std::strerror(errno));
    if (number > 0)
        return {number, UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, number, 0)))};
    dup2(source, STDIN_FILENO);
    dup2(sink, STDOUT_FILENO);
    close_range(STDERR_FILENO, ~0U, 0);
    // A reader that went away is noticed by the write. The other signals are blocked, as in the parent.
    signal(SIGPIPE, SIG_IGN);
    carry();
}

void FileRelay::take_in(UniqueFd pipe)
{
    taker_.clear();
    taker_.push_back(start(STDIN_FILENO, pipe.get()));
}

void FileRelay::give_out(UniqueFd pipe, int file)
{
    givers_.push_back(start(pipe.get(), file));
}

void FileRelay::finish(int signals)
{
    for (const Child& giver : givers_) {
        std::array<pollfd, 2> files{{{giver.process.get(), POLLIN, 0}, {signals, POLLIN, 0}}};
        while (giver.process && files[0].revents == 0 && files[1].revents == 0)
            poll(files.data(), files.size(), -1);
    }
}

FileRelay::~FileRelay()
{
    for (const Child& taker : taker_)
        kill(taker.number, SIGKILL);
}

} // namespace tacet::cli
