// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/passphrase.h"

#include <fcntl.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "common/box.h"

namespace tacet::cli {
namespace {

constexpr char interrupt = '\3'; // Ctrl-C

// While it exists the terminal does not show what is typed. Keys that end or stop a program do nothing, as the terminal would
// stay so, but Ctrl-C ends the line.
class NoEcho {
public:
    explicit NoEcho(const UniqueFd& terminal) : terminal_(terminal)
    {
        tcgetattr(terminal_.get(), &before_);
        termios quiet = before_;
        quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
        quiet.c_cc[VEOL] = interrupt;
        tcsetattr(terminal_.get(), TCSAFLUSH, &quiet);
    }
    ~NoEcho() { tcsetattr(terminal_.get(), TCSAFLUSH, &before_); }
    NoEcho(const NoEcho&) = delete;
    NoEcho& operator=(const NoEcho&) = delete;

private:
    const UniqueFd& terminal_;
    termios before_{};
};

// Reads to the end of the line.
TACET_WIPES_FRAME void read_line(const UniqueFd& file, Passphrase& ret_line)
{
    for (char letter = 0; read(file.get(), &letter, 1) == 1 && letter != '\n';) {
        if (letter == interrupt)
            throw std::runtime_error("no passphrase was given");
        if (ret_line.size == ret_line.bytes.size() - 1)
            throw std::runtime_error("a passphrase has less than " + std::to_string(passphrase_max) + " bytes");
        ret_line.bytes.at(ret_line.size++) = letter;
    }
}

void say(const UniqueFd& terminal, std::string_view text)
{
    static_cast<void>(!write(terminal.get(), text.data(), text.size()));
}

void ask(const UniqueFd& terminal, std::string_view question, Passphrase& ret_answer)
{
    const NoEcho quiet(terminal);
    say(terminal, question);
    try {
        read_line(terminal, ret_answer);
    } catch (const std::runtime_error&) {
        say(terminal, "\n");
        throw;
    }
    say(terminal, "\n");
}

std::string_view text_of(const Passphrase& passphrase)
{
    return {passphrase.bytes.data(), passphrase.size};
}

void check_new(const Passphrase& passphrase)
{
    if (passphrase.size < passphrase_least)
        throw std::runtime_error("the passphrase of a box has at least " + std::to_string(passphrase_least) + " characters");
}

void ask_at_terminal(const PassphraseRequest& request, Passphrase& ret_passphrase)
{
    const UniqueFd terminal(open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
    if (!terminal)
        throw std::runtime_error("there is no terminal to ask for the box's passphrase; --passphrase-file names a file with it");
    if (!request.is_new)
        return ask(terminal, "Passphrase of the box \"" + request.box + "\": ", ret_passphrase);
    say(terminal,
        "There is no box \"" + request.box + "\" yet. It is made now. Without its passphrase nobody can open it, nor can you.\n");
    ask(terminal, "New passphrase: ", ret_passphrase);
    check_new(ret_passphrase);
    Passphrase again;
    ask(terminal, "The same again: ", again);
    if (text_of(again) != text_of(ret_passphrase))
        throw std::runtime_error("these were two different passphrases");
}

void read_from(const std::string& path, Passphrase& ret_passphrase)
{
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!file)
        throw std::runtime_error(path + ": " + std::strerror(errno));
    read_line(file, ret_passphrase);
}

} // namespace

TACET_WIPES_FRAME UniqueFd passphrase_pipe(const PassphraseRequest& request)
{
    Passphrase passphrase;
    if (request.file)
        read_from(*request.file, passphrase);
    else
        ask_at_terminal(request, passphrase);
    if (passphrase.size == 0)
        throw std::runtime_error("no passphrase was given");
    if (request.is_new)
        check_new(passphrase);
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
    UniqueFd pipe(ends[0]);
    const UniqueFd far(ends[1]);
    if (write(far.get(), passphrase.bytes.data(), passphrase.size) != static_cast<ssize_t>(passphrase.size))
        throw std::runtime_error("the passphrase is not passed on");
    return pipe;
}

} // namespace tacet::cli
