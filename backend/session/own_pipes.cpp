// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/own_pipes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tacet {
namespace {

enum class Direction { In, Out };

bool is_terminal(const UniqueFd& file)
{
    return isatty(file.get()) == 1;
}

bool is_null_device(const UniqueFd& file)
{
    struct stat status{};
    return fstat(file.get(), &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
}

bool is_same_file(const UniqueFd& one, const UniqueFd& other)
{
    struct stat first{};
    struct stat second{};
    return fstat(one.get(), &first) == 0 && fstat(other.get(), &second) == 0 && first.st_dev == second.st_dev
           && first.st_ino == second.st_ino;
}

Error failure(const char* what)
{
    return {ErrorCode::Failed, std::string(what) + ": " + std::strerror(errno)};
}

// The pipe is root's. So a program may open it again by /proc/self/fd, but cannot change its mode, which others could see.
Result<void> replace(UniqueFd& file, Direction direction, const UniqueFd& client, const char* name)
{
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0 || fchmod(ends[0], 0666) != 0)
        return failure("no pipe");
    UniqueFd read_end(ends[0]);
    UniqueFd write_end(ends[1]);
    file = std::move(direction == Direction::In ? read_end : write_end);
    const UniqueFd& other = direction == Direction::In ? write_end : read_end;
    return send_message(client.get(), name, std::array{other.get()});
}

Result<void> take(UniqueFd& file, Direction direction, const UniqueFd& client, const char* name)
{
    if (is_terminal(file))
        return {};
    if (!is_null_device(file))
        return replace(file, direction, client, name);
    file = UniqueFd(open("/dev/null", O_RDWR | O_CLOEXEC));
    return file ? Result<void>() : failure("no /dev/null");
}

} // namespace

Result<void> take_own_pipes(Terminal& terminal)
{
    const bool is_shared = !is_terminal(terminal.error) && is_same_file(terminal.output, terminal.error);
    if (auto taken = take(terminal.input, Direction::In, terminal.client, "input"); !taken)
        return taken;
    if (auto taken = take(terminal.output, Direction::Out, terminal.client, "output"); !taken)
        return taken;
    if (!is_shared)
        return take(terminal.error, Direction::Out, terminal.client, "error");
    terminal.error = UniqueFd(fcntl(terminal.output.get(), F_DUPFD_CLOEXEC, 0));
    return terminal.error ? Result<void>() : failure("no pipe");
}

} // namespace tacet
