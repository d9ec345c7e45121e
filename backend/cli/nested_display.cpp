// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/nested_display.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <format>
#include <stdexcept>

#include "util/channel.h"
#include "util/x_authority.h"

namespace tacet::cli {
namespace {

constexpr const char* program = "/usr/bin/Xephyr";
constexpr int patience_ms = 10'000;

XCookie make_cookie()
{
    XCookie cookie{};
    if (getrandom(cookie.data(), cookie.size(), 0) != static_cast<ssize_t>(cookie.size()))
        throw std::runtime_error("no random numbers");
    return cookie;
}

// The server writes its number there when it is ready, and closes it when it does not come to that.
bool tells_ready(const UniqueFd& file)
{
    pollfd ready{file.get(), POLLIN, 0};
    char digit = 0;
    return poll(&ready, 1, patience_ms) == 1 && read(file.get(), &digit, 1) == 1;
}

bool is_taken(unsigned number)
{
    return access(std::format("/tmp/.X11-unix/X{}", number).c_str(), F_OK) == 0
           || access(std::format("/tmp/.X{}-lock", number).c_str(), F_OK) == 0;
}

// Above those that desktops use. The server's lock file decides when two want the same.
unsigned find_number()
{
    constexpr unsigned first = 60;
    constexpr unsigned last = 999;
    for (unsigned number = first; number <= last; ++number) {
        if (!is_taken(number))
            return number;
    }
    throw std::runtime_error("no display number is free");
}

// Not with an abstract socket ("local"): the session may not use those, and clients do not try the other kind after a refusal.
[[noreturn]] void become_server(const std::string& display, const std::string& title, int authority_fd, int display_fd)
{
    // It goes with us, also when we are killed; a key pressed for the program in the terminal is not for it.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0);
    const UniqueFd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
    dup2(nothing.get(), STDIN_FILENO);
    dup2(nothing.get(), STDOUT_FILENO);
    dup2(nothing.get(), STDERR_FILENO);
    fcntl(display_fd, F_SETFD, 0);
    fcntl(authority_fd, F_SETFD, 0);
    const std::string authority = "/proc/self/fd/" + std::to_string(authority_fd);
    const std::string number = std::to_string(display_fd);
    execl(program, program, display.c_str(), "-displayfd", number.c_str(), "-auth", authority.c_str(), "-title", title.c_str(),
          "-name", "tacet-private", "-screen", "1024x720", "-resizeable", "-noreset", "-nolisten", "tcp", "-nolisten", "local",
          "-extension", "MIT-SHM", static_cast<char*>(nullptr));
    _exit(EXIT_FAILURE);
}

} // namespace

bool NestedDisplay::is_possible()
{
    const char* display = std::getenv("DISPLAY");
    return display != nullptr && *display != '\0' && access(program, X_OK) == 0;
}

NestedDisplay::NestedDisplay(const std::string& title)
{
    name_ = ":" + std::to_string(find_number());
    const auto cookie = make_cookie();
    // Known to the server and to the session only: it is in no directory.
    const auto authority = make_memory_file(x_authority(cookie));
    if (!authority)
        throw std::runtime_error(authority.error().message);
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe");
    const UniqueFd number(ends[0]);
    UniqueFd far(ends[1]);
    server_ = fork();
    if (server_ == 0)
        become_server(name_, title, authority->get(), far.get());
    far = UniqueFd();
    if (server_ < 0 || !tells_ready(number)) {
        if (server_ > 0)
            kill(server_, SIGKILL);
        throw std::runtime_error("the nested X server does not start");
    }
    cookie_ = to_hexadecimal(cookie);
}

NestedDisplay::~NestedDisplay()
{
    kill(server_, SIGTERM);
    waitpid(server_, nullptr, 0);
}

} // namespace tacet::cli
