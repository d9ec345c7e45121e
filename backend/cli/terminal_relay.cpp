// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/terminal_relay.h"

#include <fcntl.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace tacet::cli {
namespace {

constexpr int background_ms = 300; // nothing tells when we come to the foreground
constexpr std::size_t part = 16'384;

bool write_all(int file, const char* text, std::size_t size)
{
    while (size > 0) {
        const ssize_t written = write(file, text, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

} // namespace

TerminalRelay::TerminalRelay() : filter_(std::string_view(nl_langinfo(CODESET)) == "UTF-8") {}

void TerminalRelay::start(UniqueFd master)
{
    master_ = std::move(master);
    fcntl(master_.get(), F_SETFL, O_RDWR | O_NONBLOCK);
    input_ = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : -1;
    for (const int file : {STDIN_FILENO, STDERR_FILENO, STDOUT_FILENO})
        screen_ = isatty(file) == 1 ? file : screen_;
    resize();
}

// Another job's terminal is left alone.
void TerminalRelay::enter()
{
    if (raw_ || input_ < 0 || !master_ || tcgetpgrp(input_) != getpgrp() || tcgetattr(input_, &before_) != 0)
        return;
    termios raw = before_;
    cfmakeraw(&raw);
    raw_ = tcsetattr(input_, TCSADRAIN, &raw) == 0;
}

void TerminalRelay::leave()
{
    if (raw_)
        tcsetattr(input_, TCSADRAIN, &before_);
    raw_ = false;
}

void TerminalRelay::finish()
{
    while (master_ && show_output()) {
    }
    master_ = UniqueFd();
    const std::string undone = filter_.undo();
    write_all(screen_, undone.data(), undone.size());
    // The shell must not get the terminal's answers to the program.
    if (raw_)
        tcflush(input_, TCIFLUSH);
    leave();
}

int TerminalRelay::patience_ms() const
{
    return master_ && input_ >= 0 && !raw_ ? background_ms : -1;
}

void TerminalRelay::prepare(pollfd& ret_input, pollfd& ret_master)
{
    enter();
    ret_input = {raw_ && typed_.empty() ? input_ : -1, POLLIN, 0};
    ret_master = {master_.get(), static_cast<short>(typed_.empty() ? POLLIN : POLLIN | POLLOUT), 0};
}

void TerminalRelay::pass_on(const pollfd& input, const pollfd& master)
{
    if (input.revents != 0)
        take_input();
    if (!typed_.empty())
        send_input();
    // Nobody in the session has it open any more: then there is nothing to wait for.
    if ((master.revents & (POLLIN | POLLHUP)) != 0 && !show_output() && errno != EAGAIN)
        finish();
}

void TerminalRelay::take_input()
{
    std::array<char, part> text{};
    const ssize_t size = read(input_, text.data(), text.size());
    if (size > 0)
        typed_.assign(text.data(), static_cast<std::size_t>(size));
    else if (size == 0 || errno != EINTR)
        input_ = -1;
}

void TerminalRelay::send_input()
{
    const ssize_t size = write(master_.get(), typed_.data(), typed_.size());
    if (size > 0)
        typed_.erase(0, static_cast<std::size_t>(size));
    else if (errno != EAGAIN && errno != EINTR)
        typed_.clear();
}

// False when there is nothing more.
bool TerminalRelay::show_output()
{
    std::array<char, part> text{};
    const ssize_t size = read(master_.get(), text.data(), text.size());
    if (size <= 0)
        return false;
    const std::string passed = filter_.pass({text.data(), static_cast<std::size_t>(size)});
    return write_all(screen_, passed.data(), passed.size());
}

void TerminalRelay::resize()
{
    winsize size{};
    if (master_ && ioctl(screen_, TIOCGWINSZ, &size) == 0)
        ioctl(master_.get(), TIOCSWINSZ, &size);
}

} // namespace tacet::cli
