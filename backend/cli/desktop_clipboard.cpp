// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/desktop_clipboard.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

#include "cli/clipboard_limit.h"
#include "cli/desktop.h"
#include "cli/x_clipboard.h"
#include "common/channel.h"
#include "common/text.h"

namespace tacet::cli {
namespace {

constexpr const char* wl_paste = "/usr/bin/wl-paste";
constexpr const char* wl_copy = "/usr/bin/wl-copy";
constexpr std::size_t block = 65'536;

struct Pipe {
    UniqueFd near;
    UniqueFd far;
};

Pipe make_pipe()
{
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe");
    return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// At most limit bytes and one: so that the caller sees that there is more.
std::string read_all(const UniqueFd& file, std::size_t limit)
{
    std::string text;
    std::array<char, block> part{};
    for (ssize_t size = 0; text.size() <= limit && (size = read(file.get(), part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<std::size_t>(size));
    return text;
}

// wl-copy stays: it must not hold what its caller waits on.
template <typename Words>
[[noreturn]] void become(const Words& words, int input, int output)
{
    const UniqueFd nothing(open("/dev/null", O_WRONLY | O_CLOEXEC));
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(nothing.get(), STDERR_FILENO);
    execv(words.front(), const_cast<char* const*>(words.data()));
    _exit(EXIT_FAILURE);
}

// Throws unless it ends well.
void wait_for(pid_t child, const char* program)
{
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        throw std::runtime_error(std::string("no text in the clipboard, or not reached by ") + program);
}

void require_wl_clipboard()
{
    if (access(wl_paste, X_OK) != 0 || access(wl_copy, X_OK) != 0)
        throw std::runtime_error("the clipboard of a Wayland desktop is reached by wl-copy and wl-paste: install wl-clipboard");
}

std::string read_wayland_clipboard()
{
    require_wl_clipboard();
    constexpr std::array words{wl_paste, "--no-newline", "--type", "text", static_cast<const char*>(nullptr)};
    Pipe pipe = make_pipe();
    const UniqueFd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    const pid_t child = fork();
    if (child == 0)
        become(words, nothing.get(), pipe.far.get());
    pipe.far = UniqueFd();
    std::string text = read_all(pipe.near, clipboard_max);
    pipe.near = UniqueFd();
    if (text.size() <= clipboard_max)
        wait_for(child, wl_paste);
    return text;
}

// It goes into the background by itself.
void offer_wayland_clipboard(const std::string& text)
{
    require_wl_clipboard();
    constexpr std::array words{wl_copy, "--type", "text/plain;charset=utf-8", static_cast<const char*>(nullptr)};
    const auto input = make_memory_file(text);
    const UniqueFd nothing(open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (!input || lseek(input->get(), 0, SEEK_SET) != 0)
        throw std::runtime_error("no memory file");
    const pid_t child = fork();
    if (child == 0)
        become(words, input->get(), nothing.get());
    wait_for(child, wl_copy);
}

// In the process that stays: tells on the pipe what is wrong, or closes it, and then serves.
[[noreturn]] void serve_offer(const std::string& text, UniqueFd told)
{
    setsid();
    const UniqueFd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        dup2(nothing.get(), standard);
    try {
        XClipboardOffer offer{XConnection(), text};
        told = UniqueFd();
        while (!offer.is_over()) {
            pollfd news{offer.file(), POLLIN, 0};
            poll(&news, 1, -1);
            offer.handle_events();
        }
    } catch (const std::runtime_error& error) {
        const std::string reason = error.what();
        static_cast<void>(!write(told.get(), reason.data(), reason.size()));
    }
    _exit(EXIT_SUCCESS);
}

void offer_x_clipboard(const std::string& text)
{
    Pipe pipe = make_pipe();
    const pid_t child = fork();
    if (child == 0)
        serve_offer(text, std::move(pipe.far));
    pipe.far = UniqueFd();
    const std::string failure = child < 0 ? "no process" : read_all(pipe.near, block);
    if (!failure.empty())
        throw std::runtime_error(failure);
}

void require_desktop()
{
    if (desktop_kind() == DesktopKind::None)
        throw std::runtime_error("there is no desktop here (WAYLAND_DISPLAY, DISPLAY)");
}

} // namespace

std::string read_desktop_clipboard()
{
    require_desktop();
    if (desktop_kind() == DesktopKind::X11) {
        auto text = read_x_clipboard(XConnection());
        if (!text)
            throw std::runtime_error(text.error().message);
        return std::move(*text);
    }
    std::string text = read_wayland_clipboard();
    if (text.size() > clipboard_max)
        throw std::runtime_error("there is more than 1 MiB in the clipboard");
    if (!is_utf8(text))
        throw std::runtime_error("what is in the clipboard is no text");
    return text;
}

void offer_desktop_clipboard(const std::string& text)
{
    require_desktop();
    if (desktop_kind() == DesktopKind::Wayland)
        offer_wayland_clipboard(text);
    else
        offer_x_clipboard(text);
}

} // namespace tacet::cli
