// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <thread>

#include "common/argument_vector.h"
#include "session/confinement.h"
#include "session/desktop_helpers.h"
#include "session/lingering_agents.h"
#include "session/own_pipes.h"
#include "session/own_terminal.h"
#include "session/program_environment.h"
#include "session/session_bus.h"

namespace tacet {
namespace {

constexpr auto grace = std::chrono::milliseconds(1000);
constexpr auto usage_interval = std::chrono::milliseconds(2000);
// tacetd may be restarted, or die. So long the session waits for the next one.
constexpr auto daemon_patience = std::chrono::seconds(30);
constexpr const char* bus_program = "/usr/bin/dbus-daemon";
constexpr int passed_socket = 3; // sd_listen_fds(3)

Error failure(const std::string& what)
{
    return {ErrorCode::Failed, what + ": " + std::strerror(errno)};
}

bool join(const UniqueFd& group)
{
    return !group || write(group.get(), "0", 1) == 1;
}

// Returns a pidfd of the process that made the channel. Empty if it has died.
UniqueFd maker_of(const UniqueFd& channel)
{
    int process = -1;
    socklen_t size = sizeof(process);
    if (getsockopt(channel.get(), SOL_SOCKET, SO_PEERPIDFD, &process, &size) != 0)
        process = -1;
    return UniqueFd(process);
}

} // namespace

Supervisor::Supervisor(const SessionRequest& request, Terminal terminal, Groups groups, UniqueFd control, UniqueFd keeper,
                       UniqueFd store, ResolverFiles resolver)
    : request_(request),
      terminal_(std::move(terminal)),
      groups_(std::move(groups)),
      control_(std::move(control)),
      keeper_(std::move(keeper)),
      store_(std::move(store)),
      resolver_(std::move(resolver)),
      daemon_(maker_of(control_)),
      daemon_lost_(Clock::now())
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    signals_ = UniqueFd(signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK));
}

// Its daemon starts when the first program connects, as many programs use none.
Result<void> Supervisor::start_bus()
{
    if (access(bus_program, X_OK) != 0)
        return {};
    auto socket = make_bus_socket(request_);
    if (!socket)
        return socket.error();
    bus_ = std::move(*socket);
    const auto daemon =
        spawn({bus_program, "--session", "--nofork", "--nopidfile", "--nosyslog", "--address=systemd:"}, groups_.helpers, false);
    bus_ = UniqueFd();
    return daemon ? Result<void>() : daemon.error();
}

// Writes the key to the display, and starts what serves the program there.
Result<void> Supervisor::start_display()
{
    if (auto written = write_x_authority(request_); !written)
        return written;
    const auto is_installed = [](const std::string& program) { return access(program.c_str(), X_OK) == 0; };
    for (const auto& helper : desktop_helpers(request_, is_installed)) {
        if (auto started = spawn(helper, groups_.helpers, false); !started)
            return started.error();
    }
    return {};
}

Result<void> Supervisor::start()
{
    if (auto confined = confine_scope(); !confined)
        return confined;
    const auto master = take_own_terminal(terminal_, request_.uid);
    if (!master)
        return master.error();
    if (*master) {
        has_terminal_ = lead_terminal(terminal_);
        static_cast<void>(send_message(terminal_.client.get(), "terminal", std::array{master->get()}));
    }
    if (auto pipes = take_own_pipes(terminal_); !pipes)
        return pipes;
    if (auto bus = start_bus(); !bus)
        return bus;
    if (auto display = request_.options.display.empty() ? Result<void>() : start_display(); !display)
        return display;
    const auto program = spawn(request_.command, groups_.programs, true);
    if (!program)
        return program.error();
    main_ = *program;
    return {};
}

Result<pid_t> Supervisor::spawn(const std::vector<std::string>& command, const UniqueFd& group, bool main)
{
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return failure("no pipe");
    const UniqueFd failures(ends[0]);
    UniqueFd far(ends[1]);
    const pid_t child = fork();
    if (child < 0)
        return failure("no process");
    if (child == 0)
        become(command, group, main, far.get());
    far = UniqueFd();
    std::array<char, 512> reason{};
    const ssize_t size = read(failures.get(), reason.data(), reason.size());
    if (size > 0)
        return Error{ErrorCode::Failed, std::string(reason.data(), static_cast<std::size_t>(size))};
    return child;
}

void Supervisor::become(const std::vector<std::string>& command, const UniqueFd& group, bool main, int failures) const
{
    const auto give_up = [&](const std::string& reason) {
        static_cast<void>(!write(failures, reason.data(), reason.size()));
        _exit(EXIT_FAILURE);
    };
    std::vector<std::string> environment = make_environment(request_);
    std::vector<std::string> arguments = command;
    if (!join(group))
        give_up(failure("control group not entered").message);
    if (!main || !has_terminal_)
        setsid();
    const UniqueFd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
    dup2(main ? terminal_.input.get() : nothing.get(), STDIN_FILENO);
    dup2(main ? terminal_.output.get() : nothing.get(), STDOUT_FILENO);
    dup2(main ? terminal_.error.get() : nothing.get(), STDERR_FILENO);
    if (main && has_terminal_)
        become_terminal_job();
    if (bus_) {
        dup2(bus_.get(), passed_socket);
        environment.insert(environment.end(), {"LISTEN_FDS=1", "LISTEN_PID=" + std::to_string(getpid())});
    }
    if (auto confined = confine_program(request_); !confined)
        give_up(confined.error().message);
    if (chdir(request_.directory.c_str()) != 0 && chdir("/") != 0)
        give_up(failure("no directory").message);
    for (int signal = 1; signal < NSIG; ++signal)
        std::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    umask(022);
    if (bus_)
        wait_for_client();
    execvpe(arguments.front().c_str(), argument_vector(arguments).data(), argument_vector(environment).data());
    give_up(failure(command.front()).message);
    _exit(EXIT_FAILURE);
}

// Without its copies of other files, on whose end others wait. The parent goes on, too.
void Supervisor::wait_for_client()
{
    close_range(passed_socket + 1, ~0U, 0);
    pollfd client{passed_socket, POLLIN, 0};
    while (poll(&client, 1, -1) < 0 && errno == EINTR) {
    }
}

bool Supervisor::programs_run() const
{
    return groups_.programs_events ? has_processes(groups_.programs_events.get()) : main_ != 0;
}

bool Supervisor::agents_linger() const
{
    std::array<char, 256> processes{};
    const ssize_t size = pread(groups_.programs.get(), processes.data(), processes.size(), 0);
    // A group of which more is told has more processes than there are agents.
    return size > 0 && size < static_cast<ssize_t>(processes.size())
           && are_lingering_agents(std::string_view(processes.data(), static_cast<std::size_t>(size)));
}

void Supervisor::reap()
{
    std::array<signalfd_siginfo, 16> ignored;
    while (read(signals_.get(), ignored.data(), sizeof(ignored)) > 0) {
    }
    int status = 0;
    for (pid_t child = 0; (child = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
        if (child != main_)
            continue;
        if (WIFSTOPPED(status)) {
            tell("stopped");
            continue;
        }
        main_ = 0;
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        tell_usage();
        tell("exit " + std::to_string(code));
        terminal_.input = UniqueFd();
        terminal_.output = UniqueFd();
        terminal_.error = UniqueFd();
    }
}

void Supervisor::tell(const std::string& text) const
{
    static_cast<void>(send_message(control_.get(), text));
    if (terminal_.client)
        static_cast<void>(send_message(terminal_.client.get(), text));
}

void Supervisor::take_control()
{
    auto message = receive_message(control_.get());
    if (message && (message->text == "files" || message->text == "keep")) {
        std::vector<int> files;
        for (const UniqueFd& file : message->files)
            files.push_back(file.get());
        // When the keeper does not take the message, its channel closes, which tells tacetd.
        static_cast<void>(send_message(keeper_.get(), message->text, files));
        return;
    }
    if (message && message->text == "describe" && message->files.size() == 1) {
        daemon_ = std::move(message->files[0]);
        describe();
        return;
    }
    ending_ = ending_ || !message || message->text.empty() || message->text == "end";
}

// Tells a tacetd that has not started this session what people may see of it.
void Supervisor::describe()
{
    SessionRequest told = request_;
    told.command.resize(1);
    told.environment.clear();
    told.directory = "/";
    told.options.display.clear();
    told.options.cookie.clear();
    const auto text = to_text(told);
    const auto file = text ? make_memory_file(*text) : Result<UniqueFd>(text.error());
    if (!file)
        return;
    static_cast<void>(send_message(control_.get(), "session", std::array{file->get()}));
    for (const auto& [holds, state] : {std::pair(true, "running"), {is_waiting_, "waiting"}, {told_full_, "full"}}) {
        if (holds)
            static_cast<void>(send_message(control_.get(), state));
    }
    told_usage_ = unknown_usage;
    tell_usage();
}

void Supervisor::look_for_daemon()
{
    if (daemon_ || ending_ || Clock::now() < daemon_lost_ + daemon_patience)
        return;
    tell("daemon lost");
    ending_ = true;
}

void Supervisor::take_client()
{
    const auto message = receive_message(terminal_.client.get());
    // A client that went away is no reason to end: the program may have windows.
    if (!message || message->text.empty()) {
        terminal_.client = UniqueFd();
        // The program's terminal went with the client.
        if (has_terminal_ && main_ > 0) {
            kill(-main_, SIGHUP);
            kill(-main_, SIGCONT);
        }
        return;
    }
    int number = 0;
    const std::string_view text = message->text;
    if (text.starts_with("signal ") && std::from_chars(text.data() + 7, text.data() + text.size(), number).ec == std::errc()
        && main_ > 0)
        kill(-main_, number);
}

void Supervisor::tell_usage()
{
    usage_told_ = Clock::now();
    struct statfs status{};
    if (fstatfs(store_.get(), &status) != 0)
        return;
    const std::uint64_t used = (status.f_blocks - status.f_bfree) * static_cast<std::uint64_t>(status.f_bsize);
    if (used != told_usage_)
        static_cast<void>(send_message(control_.get(), "used " + std::to_string(used)));
    told_usage_ = used;
    // With less room than this, no program gets anything into the store.
    constexpr std::uint64_t little = 64U << 10;
    const bool full = static_cast<std::uint64_t>(status.f_bavail) * static_cast<std::uint64_t>(status.f_bsize) < little;
    if (full != told_full_)
        tell(full ? "full" : "room");
    told_full_ = full;
}

void Supervisor::wait_for_news()
{
    std::array<pollfd, 5> files{{{signals_.get(), POLLIN, 0},
                                 {control_.get(), POLLIN, 0},
                                 {terminal_.client.get(), POLLIN, 0},
                                 {groups_.programs_events.get(), POLLPRI, 0},
                                 {daemon_.get(), POLLIN, 0}}};
    // The usage of a busy session is reported as often as that of a quiet one.
    const auto due = usage_told_ + usage_interval;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now()).count();
    if (poll(files.data(), files.size(), left > 0 ? static_cast<int>(left) : 0) <= 0 || Clock::now() >= due) {
        tell_usage();
        resolver_.follow();
    }
    if (files[0].revents != 0)
        reap();
    // Before the channel, in which the next tacetd may tell of itself already.
    if (files[4].revents != 0) {
        daemon_ = UniqueFd();
        daemon_lost_ = Clock::now();
    }
    if (files[1].revents != 0)
        take_control();
    if (files[2].revents != 0)
        take_client();
    // Only after it was read, the file waits for the next change.
    if (files[3].revents != 0)
        static_cast<void>(programs_run());
    look_for_daemon();
}

void Supervisor::end()
{
    const auto deadline = Clock::now() + grace;
    kill(-1, SIGTERM);
    // The keeper is out of reach for signals (confine_scope). It ends with its channel.
    keeper_ = UniqueFd();
    while (Clock::now() < deadline && (waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD))
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

void Supervisor::wait_for_end()
{
    is_waiting_ = true;
    tell("waiting");
    while (!ending_)
        wait_for_news();
}

Result<void> Supervisor::run()
{
    if (auto started = start(); !started)
        return started;
    if (auto confined = confine_supervisor(); !confined)
        return confined;
    static_cast<void>(send_message(control_.get(), "running"));
    while (!ending_ && (main_ != 0 || (programs_run() && !agents_linger())))
        wait_for_news();
    if (!ending_ && request_.options.keep)
        wait_for_end();
    end();
    return {};
}

} // namespace tacet
