// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/nested_display.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <format>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "cli/desktop.h"
#include "common/argument_vector.h"
#include "common/channel.h"
#include "common/x_authority.h"

namespace tacet::cli {
namespace {

constexpr const char* xephyr = "/usr/bin/Xephyr";
constexpr const char* xwayland = "/usr/bin/Xwayland";
constexpr const char* window_manager = "/usr/bin/openbox"; // which tacet-session starts
// A slow machine may compile the keyboard map for long after the window is there.
constexpr int patience_ms = 60'000;

XCookie make_cookie()
{
    XCookie cookie{};
    if (getrandom(cookie.data(), cookie.size(), 0) != static_cast<ssize_t>(cookie.size()))
        throw std::runtime_error("no random numbers");
    return cookie;
}

// The server writes its number and a newline when it is ready, in two parts: it dies when nobody reads the second. It closes the
// file when it does not come to that.
bool tells_ready(const UniqueFd& file)
{
    pollfd ready{file.get(), POLLIN, 0};
    char character = 0;
    while (character != '\n') {
        if (poll(&ready, 1, patience_ms) != 1 || read(file.get(), &character, 1) != 1)
            return false;
    }
    return true;
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

void require(const char* program, const char* package)
{
    if (access(program, X_OK) != 0)
        throw std::runtime_error(
            std::format("{} is not there: install {}, or use --display none for a program without windows", program, package));
}

std::string inherit(const UniqueFd& file)
{
    fcntl(file.get(), F_SETFD, 0);
    return std::to_string(file.get());
}

// Not with an abstract socket ("local"): the session may not use those, and clients do not try the other kind after a refusal.
// No shared memory and, on Wayland, no graphics device: both would be a way out of the session.
std::vector<std::string> command_of(bool is_wayland, const OuterWindow& outer, const std::string& display)
{
    std::vector<std::string> words{is_wayland ? xwayland : xephyr, display};
    const std::vector<std::string> place = outer.server_arguments();
    words.insert(words.end(), place.begin(), place.end());
    if (is_wayland)
        words.insert(words.end(), {"-glamor", "off"});
    else
        words.emplace_back("-no-host-grab");
    words.insert(words.end(), {"-noreset", "-nolisten", "tcp", "-nolisten", "local", "-extension", "MIT-SHM"});
    return words;
}

[[noreturn]] void become_server(std::vector<std::string> words, const OuterWindow& outer, const UniqueFd& authority,
                                const UniqueFd& ready)
{
    // It goes with us, also when we are killed; a key pressed for the program in the terminal is not for it.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0);
    // Its swapped memory goes with the session. So it may crash after that, when the module does not refuse its dump any more.
    // With 1, unlike 0, the kernel starts no handler of dumps.
    const rlimit no_dump{1, 1};
    setrlimit(RLIMIT_CORE, &no_dump);
    const UniqueFd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        dup2(nothing.get(), standard);
    outer.enter_server();
    words.insert(words.end(), {"-displayfd", inherit(ready), "-auth", "/proc/self/fd/" + inherit(authority)});
    execv(words.front().c_str(), argument_vector(words).data());
    _exit(EXIT_FAILURE);
}

} // namespace

NestedDisplay::NestedDisplay(OuterWindow& outer)
{
    const bool is_wayland = desktop_kind() == DesktopKind::Wayland;
    if (is_wayland)
        require(xwayland, "xwayland");
    else
        require(xephyr, "xserver-xephyr");
    require(window_manager, "openbox");
    address_ = ":" + std::to_string(find_number());
    start(command_of(is_wayland, outer, address_), outer);
}

void NestedDisplay::start(const std::vector<std::string>& command, OuterWindow& outer)
{
    const auto cookie = make_cookie();
    // Known to the server and to the session only: it is in no directory.
    const auto authority = make_memory_file(x_authority(cookie));
    if (!authority)
        throw std::runtime_error(authority.error().message);
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe");
    const UniqueFd ready(ends[0]);
    UniqueFd far(ends[1]);
    process_ = fork();
    if (process_ == 0)
        become_server(command, outer, *authority, far);
    far = UniqueFd();
    outer.leave_server();
    if (process_ < 0 || !tells_ready(ready)) {
        if (process_ > 0)
            kill(process_, SIGKILL);
        throw std::runtime_error(std::string(command.front()) + " does not start");
    }
    process_file_ = UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, process_, 0)));
    cookie_ = to_hexadecimal(cookie);
}

NestedDisplay::~NestedDisplay()
{
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
    // A server that did not end in good order leaves its socket behind, or both. Then its number would be taken for ever.
    const std::string number = address_.substr(1);
    const std::string lock = "/tmp/.X" + number + "-lock";
    pid_t owner = process_;
    std::ifstream(lock) >> owner;
    if (owner == process_) {
        unlink(("/tmp/.X11-unix/X" + number).c_str());
        unlink(lock.c_str());
    }
}

bool NestedDisplay::is_gone() const
{
    pollfd end{process_file_.get(), POLLIN, 0};
    return poll(&end, 1, 0) == 1;
}

} // namespace tacet::cli
