// SPDX-License-Identifier: GPL-3.0-or-later
// tacet-session runs one private session. systemd starts it for tacetd in a control group of its own, with a channel to tacetd
// as fd 0. The first message is "start" with the request, the program's standard files and the client's channel. tacetd may
// start it long before that, and it ends when there is no session for it.
// This process holds the kernel's session, and its child is the session's PID 1. systemd runs "tacet-session --remove-store
// ID" after a session with a store on disk.
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <thread>
#include <utility>

#include "session/box_store.h"
#include "session/confinement.h"
#include "session/control_group.h"
#include "session/disk_store.h"
#include "session/file_tree.h"
#include "session/keeper.h"
#include "session/kernel_session.h"
#include "session/outside_sockets.h"
#include "session/supervisor.h"
#include "session/system_bus.h"

namespace {

using namespace tacet;

// The last processes of the session have this time after PID 1.
constexpr auto end_patience = std::chrono::milliseconds(1000);

Error failure(const std::string& what)
{
    return {ErrorCode::Failed, what + ": " + std::strerror(errno)};
}

struct Start {
    SessionRequest request;
    Terminal terminal;
    UniqueFd display_server; // a pidfd, or empty
    UniqueFd system_bus;     // the channel to the process that leads there
    UniqueFd passphrase;     // a pipe, or empty
};

Result<Start> parse_start(Message message)
{
    constexpr std::size_t files = 5;
    if (message.text != "start" || message.files.size() < files)
        return Error{ErrorCode::InvalidArgument, "no start message"};
    const auto text = read_memory_file(message.files[0].get(), SessionRequest::text_max);
    if (!text)
        return text.error();
    auto request = parse_request(*text);
    if (!request)
        return request.error();
    auto& given = message.files;
    Start start{
        std::move(*request), {std::move(given[1]), std::move(given[2]), std::move(given[3]), std::move(given[4])}, {}, {}, {}};
    std::size_t next = files;
    if (!start.request.options.display.empty() && next < given.size())
        start.display_server = std::move(given[next++]);
    if (!start.request.options.box.empty() && next < given.size())
        start.passphrase = std::move(given[next]);
    return start;
}

// Returns -1 if the process has ended.
pid_t number_of(const UniqueFd& process)
{
    pid_t number = -1;
    std::ifstream facts("/proc/self/fdinfo/" + std::to_string(process.get()));
    for (std::string word; facts >> word;) {
        if (word == "Pid:" && facts >> number)
            break;
    }
    return number;
}

// The person's own server draws the session's windows. From now on its memory is the session's, to clear, to swap and to
// guard.
Result<void> take_display_server(const Start& start, const UniqueFd& group)
{
    if (!start.display_server)
        return {};
    const std::string number = std::to_string(number_of(start.display_server));
    struct stat status{};
    if (stat(("/proc/" + number).c_str(), &status) != 0 || status.st_uid != start.request.uid)
        return Error{ErrorCode::InvalidArgument, "no display server of this user's"};
    if (write(group.get(), number.data(), number.size()) != static_cast<ssize_t>(number.size()))
        return failure("the display server is not taken into the session");
    return {};
}

bool raise_loopback()
{
    const UniqueFd any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ifreq request{};
    std::strcpy(request.ifr_name, "lo");
    request.ifr_flags = IFF_UP;
    return any && ioctl(any.get(), SIOCSIFFLAGS, &request) == 0;
}

// Runs as PID 1 of the session.
Result<void> run_inside(Start& start, Groups& groups, int kernel_session)
{
    if (unshare(CLONE_NEWNS | CLONE_NEWIPC | (start.request.options.network ? 0 : CLONE_NEWNET)) != 0)
        return failure("no namespaces");
    auto tree = enter_file_tree(start.request, kernel_session, start.passphrase);
    if (!tree)
        return tree.error();
    if (!start.request.options.network && !raise_loopback())
        return failure("no loopback device");
    if (auto offered = offer_system_bus(start.system_bus.get()); !offered)
        return offered;
    auto keeper = start_keeper(start.request, *tree, groups.helpers);
    if (!keeper)
        return keeper.error();
    tree->layers.clear();
    Supervisor supervisor(start.request, std::move(start.terminal), std::move(groups), UniqueFd(STDIN_FILENO), std::move(*keeper),
                          std::move(tree->store), std::move(tree->resolver));
    return supervisor.run();
}

int report(const Result<void>& done, int client)
{
    if (done)
        return EXIT_SUCCESS;
    // The names of programs and files stay out of the journal.
    const std::string told = "failed " + done.error().message;
    static_cast<void>(send_message(STDIN_FILENO, told));
    static_cast<void>(send_message(client, told));
    return EXIT_FAILURE;
}

// Returns when PID 1 and all processes under it are gone, or should be.
void wait_for(pid_t inside, const UniqueFd& alive, SwapGuard& guard)
{
    std::array<pollfd, 2> files{{{alive.get(), POLLIN, 0}, {guard.changes(), POLLPRI, 0}}};
    while (files[0].revents == 0) {
        poll(files.data(), files.size(), -1);
        if ((files[1].revents & POLLPRI) != 0 && !guard.check())
            kill(inside, SIGKILL);
    }
    const auto deadline = std::chrono::steady_clock::now() + end_patience;
    while (waitpid(inside, nullptr, WNOHANG) == 0 && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

// The kernel's part, as far as it exists. The descriptor is closed after the last of the session's processes has gone, but for
// this one. After that, memory that was swapped out cannot be read any more.
struct Kernel {
    UniqueFd session;
    SwapGuard guard;
};

Result<Kernel> begin_kernel(const std::string& group, int client)
{
    auto session = begin_kernel_session(group);
    if (!session)
        return session.error();
    if (!*session)
        static_cast<void>(send_message(client, "notice module-absent"));
    auto guard = SwapGuard::make(group, static_cast<bool>(*session));
    if (!guard)
        return guard.error();
    return Kernel{std::move(*session), std::move(*guard)};
}

Result<void> run(Start& start, int client)
{
    const auto group = own_group();
    if (!group)
        return group.error();
    auto groups = make_groups(*group);
    if (!groups)
        return groups.error();
    auto kernel = begin_kernel(*group, client);
    if (!kernel)
        return kernel.error();
    if (auto taken = take_display_server(start, groups->helpers); !taken)
        return taken.error();
    if (auto allowed = allow_system_bus(kernel->session.get()); !allowed)
        return allowed.error();
    auto system_bus = start_system_bus(start.request, groups->helpers);
    if (!system_bus)
        return system_bus.error();
    start.system_bus = std::move(*system_bus);
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0 || unshare(CLONE_NEWPID) != 0)
        return failure("no namespaces");
    const UniqueFd alive(ends[0]);
    UniqueFd life(ends[1]);
    const pid_t inside = fork();
    if (inside < 0)
        return failure("no process");
    if (inside == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(report(run_inside(start, *groups, kernel->session.get()), client));
    }
    life = UniqueFd();
    // Descriptors that the session holds must close when the session ends.
    const SessionRequest request = std::exchange(start, {}).request;
    wait_for(inside, alive, kernel->guard);
    kill_helpers(*group);
    kernel->guard.keep_in_memory();
    if (!request.options.box.empty())
        wait_for_box(request);
    return {};
}

} // namespace

int main(int argc, char** argv)
{
    umask(0077);
    if (argc == 3 && std::string_view(argv[1]) == "--remove-store") {
        remove_disk_store(std::strtoull(argv[2], nullptr, 10));
        return EXIT_SUCCESS;
    }
    prctl(PR_SET_NAME, "tacet-spare");
    auto first = receive_message(STDIN_FILENO);
    if (first && first->text.empty())
        return EXIT_SUCCESS;
    prctl(PR_SET_NAME, "tacet-session");
    auto start = first ? parse_start(std::move(*first)) : first.error();
    if (!start) {
        std::fprintf(stderr, "tacet-session: %s\n", start.error().message.c_str());
        return EXIT_FAILURE;
    }
    const UniqueFd client(fcntl(start->terminal.client.get(), F_DUPFD_CLOEXEC, 0));
    return report(run(*start, client.get()), client.get());
}
