// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/session_follower.h"

#include <cstdint>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <charconv>

#include "cli/output.h"
#include "common/channel.h"

namespace tacet::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience_without_window{5};
constexpr int exit_not_started = 125; // as env(1), timeout(1) and their like
constexpr int exit_killed = 137;

UniqueFd take_signals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT})
        sigaddset(&signals, number);
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    return UniqueFd(signalfd(-1, &signals, SFD_CLOEXEC));
}

} // namespace

SessionFollower::SessionFollower(UniqueFd channel) : channel_(std::move(channel)), signals_(take_signals()), status_(exit_killed)
{
}

int SessionFollower::follow(std::uint64_t id, std::unique_ptr<PrivateDisplay> display)
{
    id_ = id;
    display_ = std::move(display);
    while (!over_) {
        const int windows = display_ ? display_->file() : -1;
        std::array<pollfd, 5> files{{{channel_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}, {}, {}, {windows, POLLIN, 0}}};
        relay_.prepare(files[2], files[3]);
        poll(files.data(), files.size(), patience_ms());
        if (kill_time_ && Clock::now() >= *kill_time_) {
            kill_time_.reset();
            signal_program(SIGKILL);
        }
        relay_.pass_on(files[2], files[3]);
        if (files[1].revents != 0)
            take_signal();
        if (files[4].revents != 0)
            serve_display();
        if (files[0].revents != 0)
            take_message();
    }
    relay_.finish();
    // A session that waits may still write.
    if (!waits_)
        files_.finish(signals_.get());
    return status_;
}

// A session without its window is of no use, and nobody would see it: its program is asked to end.
void SessionFollower::serve_display()
{
    display_->handle_events();
    if (!display_->is_gone())
        return;
    signal_program(SIGTERM);
    signal_program(SIGCONT);
    kill_time_ = Clock::now() + patience_without_window;
    display_.reset();
}

void SessionFollower::signal_program(int number)
{
    static_cast<void>(send_message(channel_.get(), "signal " + std::to_string(number)));
}

int SessionFollower::patience_ms() const
{
    constexpr int short_ms = 500; // to look whether it is time
    return kill_time_ ? short_ms : relay_.patience_ms();
}

void SessionFollower::take_signal()
{
    signalfd_siginfo signal{};
    if (read(signals_.get(), &signal, sizeof(signal)) != sizeof(signal))
        return;
    if (signal.ssi_signo == SIGWINCH || signal.ssi_signo == SIGCONT)
        relay_.resize();
    else if (waits_)
        over_ = true;
    else
        signal_program(static_cast<int>(signal.ssi_signo));
}

void SessionFollower::take_message()
{
    auto message = receive_message(channel_.get());
    if (!message || message->text.empty())
        over_ = true;
    else if (message->files.size() == 1)
        take_file(message->text, std::move(message->files[0]));
    else if (message->text == "stopped")
        stop();
    else
        take_news(message->text);
}

// The session's side of what it has in place of a standard file.
void SessionFollower::take_file(std::string_view name, UniqueFd file)
{
    if (name == "terminal")
        relay_.start(std::move(file));
    else if (name == "input")
        files_.take_in(std::move(file));
    else if (name == "output")
        files_.give_out(std::move(file), STDOUT_FILENO);
    else if (name == "error")
        files_.give_out(std::move(file), STDERR_FILENO);
}

void SessionFollower::take_news(std::string_view text)
{
    if (text.starts_with("exit "))
        std::from_chars(text.data() + 5, text.data() + text.size(), status_);
    if (text == "notice module-absent")
        print_error("the kernel module is not loaded: this session does not swap, what it frees is not cleared, and your other "
                    "programs can look into it");
    if (text == "daemon lost") {
        relay_.leave();
        print_error("tacetd ended and did not come back, so the session ends");
    }
    if (text == "full") {
        relay_.leave();
        print_error("the session's store is full; --size gives it more, --store disk still more");
    }
    if (text == "waiting") {
        waits_ = true;
        relay_.finish();
        // Nothing will show in it any more.
        display_.reset();
        tell_waiting();
    }
    if (text.starts_with("failed ")) {
        relay_.finish();
        print_error(text.substr(7));
        status_ = exit_not_started;
    }
}

// The program has stopped, as by Ctrl-Z: so do we, as a job of the shell's that started us, and go on with it.
void SessionFollower::stop()
{
    if (!relay_.is_typed_to())
        return;
    relay_.leave();
    kill(0, SIGTSTP);
    relay_.resize();
    signal_program(SIGCONT);
}

void SessionFollower::tell_waiting() const
{
    const std::string number = std::to_string(id_);
    print_error("the program has ended; session " + number + " waits for you to keep files:");
    print_error("  tacet session files " + number + "              what it made, changed and deleted");
    print_error("  tacet session keep " + number + " PATH...       copies files out");
    print_error("  tacet session end " + number + "                ends it; all else is gone then");
}

} // namespace tacet::cli
