// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/loop/child_process.h"

#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cstring>
#include <exception>
#include <filesystem>

namespace tacet {
namespace {

class SpawnActions {
public:
    explicit SpawnActions(int input)
    {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_adddup2(&actions_, input, 0);
    }
    ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;

    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

struct Dying {
    UniqueFd process;
    std::unique_ptr<Pending> ended;
};

// A process that was killed is one of our tasks until its end is taken note of, and that may be late.
void reap_later(EventLoop& loop, UniqueFd process)
try {
    const auto dying = std::make_shared<Dying>();
    dying->process = std::move(process);
    dying->ended = loop.watch(dying->process.get(), EPOLLIN, [dying](std::uint32_t) {
        siginfo_t info{};
        waitid(P_PIDFD, static_cast<id_t>(dying->process.get()), &info, WEXITED);
        const auto ended = std::move(dying->ended);
    });
} catch (const std::exception&) {
    // The loop has ended, and so does the daemon.
    return;
}

} // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(EventLoop& loop, const std::string& program, int input,
                                                          std::function<void(bool)> on_exit)
{
    const SpawnActions actions(input);
    std::string name = std::filesystem::path(program).filename().string();
    const std::array<char*, 2> arguments{name.data(), nullptr};
    const std::array<char*, 1> environment{nullptr};
    int process = -1;
    const int status = pidfd_spawn(&process, program.c_str(), actions.get(), nullptr, arguments.data(), environment.data());
    if (status != 0)
        return Error{ErrorCode::Failed, "cannot start " + program + ": " + std::strerror(status)};
    std::unique_ptr<ChildProcess> child(new ChildProcess(loop, UniqueFd(process), std::move(on_exit)));
    child->exited_ = loop.watch(process, EPOLLIN, [self = child.get()](std::uint32_t) { self->finish(); });
    return child;
}

ChildProcess::~ChildProcess()
{
    if (reaped_)
        return;
    kill();
    siginfo_t info{};
    waitid(P_PIDFD, static_cast<id_t>(process_.get()), &info, WEXITED | WNOHANG);
    exited_.reset();
    if (info.si_pid == 0)
        reap_later(loop_, std::move(process_));
}

void ChildProcess::kill()
{
    // glibc 2.41 declares its wrapper without C linkage, so this makes the raw call.
    syscall(SYS_pidfd_send_signal, process_.get(), SIGKILL, nullptr, 0);
}

void ChildProcess::finish()
{
    // The descriptor stays readable, and the end is told once. on_exit may close the descriptor, which must not be watched then:
    // the loop would go on hearing of it.
    exited_.reset();
    siginfo_t info{};
    waitid(P_PIDFD, static_cast<id_t>(process_.get()), &info, WEXITED);
    reaped_ = true;
    const auto on_exit = std::move(on_exit_);
    on_exit(info.si_code == CLD_EXITED && info.si_status == 0);
}

} // namespace tacet
