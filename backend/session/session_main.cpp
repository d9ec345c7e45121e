// SPDX-License-Identifier: GPL-3.0-or-later
// tacet-session: runs one private session. Started by systemd for tacetd, in a control group of its own, with a channel to tacetd
// as fd 0, whose first message is "start" with: the request, and the program's standard files and client's channel.
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "session/confinement.h"
#include "session/file_tree.h"
#include "session/keeper.h"
#include "session/supervisor.h"

namespace {

using namespace tacet;

Error failure(const std::string& what)
{
    return {ErrorCode::Failed, what + ": " + std::strerror(errno)};
}

struct Start {
    SessionRequest request;
    Terminal terminal;
};

Result<Start> receive_start(int channel)
{
    auto message = receive_message(channel);
    if (!message)
        return message.error();
    constexpr std::size_t files = 5;
    if (message->text != "start" || message->files.size() != files)
        return Error{ErrorCode::InvalidArgument, "no start message"};
    const auto text = read_memory_file(message->files[0].get(), SessionRequest::text_max);
    if (!text)
        return text.error();
    auto request = parse_request(*text);
    if (!request)
        return request.error();
    auto& given = message->files;
    return Start{std::move(*request), {std::move(given[1]), std::move(given[2]), std::move(given[3]), std::move(given[4])}};
}

Result<UniqueFd> make_group(const std::string& parent, const char* name)
{
    const std::string path = parent + "/" + name;
    if (mkdir(path.c_str(), 0755) != 0 && errno != EEXIST)
        return failure("no control group");
    UniqueFd group(open((path + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    return group ? Result<UniqueFd>(std::move(group)) : failure("no control group");
}

// Below the unit's own, which is charged for all.
Result<Groups> make_groups()
{
    std::string line;
    std::getline(std::ifstream("/proc/self/cgroup"), line);
    if (!line.starts_with("0::/"))
        return Error{ErrorCode::Failed, "no unified control groups"};
    const std::string own = "/sys/fs/cgroup" + line.substr(3);
    auto programs = make_group(own, "programs");
    auto helpers = make_group(own, "helpers");
    UniqueFd events(open((own + "/programs/cgroup.events").c_str(), O_RDONLY | O_CLOEXEC));
    if (!programs || !helpers || !events)
        return programs ? helpers ? failure("no control group events") : helpers.error() : programs.error();
    return Groups{std::move(*programs), std::move(*helpers), std::move(events)};
}

bool raise_loopback()
{
    const UniqueFd any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ifreq request{};
    std::strcpy(request.ifr_name, "lo");
    request.ifr_flags = IFF_UP;
    return any && ioctl(any.get(), SIOCSIFFLAGS, &request) == 0;
}

// As PID 1 of the session.
Result<void> run_inside(Start& start, Groups& groups)
{
    auto tree = enter_file_tree(start.request);
    if (!tree)
        return tree.error();
    if (!start.request.network && !raise_loopback())
        return failure("no loopback device");
    auto keeper = start_keeper(start.request, *tree, groups.helpers);
    if (!keeper)
        return keeper.error();
    tree->layers.clear();
    Supervisor supervisor(start.request, std::move(start.terminal), std::move(groups), UniqueFd(STDIN_FILENO), std::move(*keeper),
                          std::move(tree->store));
    return supervisor.run();
}

int report(const Result<void>& done, int client)
{
    if (done)
        return EXIT_SUCCESS;
    // Names of programs and files stay out of the journal.
    const std::string told = "failed " + done.error().message;
    static_cast<void>(send_message(STDIN_FILENO, told));
    static_cast<void>(send_message(client, told));
    return EXIT_FAILURE;
}

int run(Start& start)
{
    const UniqueFd client(fcntl(start.terminal.client.get(), F_DUPFD_CLOEXEC, 0));
    auto groups = make_groups();
    if (!groups)
        return report(groups.error(), client.get());
    const int spaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | (start.request.network ? 0 : CLONE_NEWNET);
    if (unshare(spaces) != 0)
        return report(failure("no namespaces"), client.get());
    const pid_t inside = fork();
    if (inside < 0)
        return report(failure("no process"), client.get());
    if (inside == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(report(run_inside(start, *groups), client.get()));
    }
    // What the session holds open ends with it.
    start = {};
    int status = 0;
    waitpid(inside, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

} // namespace

int main()
{
    umask(0077);
    auto start = receive_start(STDIN_FILENO);
    if (!start) {
        std::fprintf(stderr, "tacet-session: %s\n", start.error().message.c_str());
        return EXIT_FAILURE;
    }
    return run(*start);
}
