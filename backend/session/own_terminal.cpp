// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/own_terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace tacet {
namespace {

// Takes over the size, and the keys that the person's keyboard has for erasing and so on.
void take_over_settings(int outer, int master, int slave)
{
    winsize size{};
    if (ioctl(outer, TIOCGWINSZ, &size) == 0)
        ioctl(master, TIOCSWINSZ, &size);
    termios theirs{};
    termios own{};
    if (tcgetattr(outer, &theirs) != 0 || tcgetattr(slave, &own) != 0)
        return;
    for (const int key : {VERASE, VKILL, VINTR, VQUIT, VSUSP, VEOF, VWERASE})
        own.c_cc[key] = theirs.c_cc[key];
    own.c_iflag |= theirs.c_iflag & IUTF8;
    tcsetattr(slave, TCSANOW, &own);
}

} // namespace

Result<UniqueFd> take_own_terminal(Terminal& terminal, uid_t owner)
{
    const std::array files{&terminal.input, &terminal.output, &terminal.error};
    const auto outer = std::ranges::find_if(files, [](const UniqueFd* file) { return isatty(file->get()) == 1; });
    if (outer == files.end())
        return UniqueFd();
    UniqueFd master(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
    int locked = 0;
    if (!master || ioctl(master.get(), TIOCSPTLCK, &locked) != 0)
        return Error{ErrorCode::Failed, std::string("no terminal: ") + std::strerror(errno)};
    const UniqueFd slave(ioctl(master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!slave || fchown(slave.get(), owner, static_cast<gid_t>(-1)) != 0)
        return Error{ErrorCode::Failed, std::string("no terminal: ") + std::strerror(errno)};
    take_over_settings((*outer)->get(), master.get(), slave.get());
    for (UniqueFd* file : files) {
        if (isatty(file->get()) == 1)
            *file = UniqueFd(fcntl(slave.get(), F_DUPFD_CLOEXEC, 0));
    }
    return master;
}

bool lead_terminal(const Terminal& terminal)
{
    const std::array files{&terminal.input, &terminal.output, &terminal.error};
    const auto own = std::ranges::find_if(files, [](const UniqueFd* file) { return isatty(file->get()) == 1; });
    return own != files.end() && setsid() >= 0 && ioctl((*own)->get(), TIOCSCTTY, 0) == 0;
}

void become_terminal_job()
{
    setpgid(0, 0);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (isatty(file) == 1 && tcsetpgrp(file, getpid()) == 0)
            return;
    }
}

} // namespace tacet
