// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/scrub_worker.h"

#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cstring>
#include <vector>

#include "common/channel.h"
#include "common/unique_fd.h"

namespace tacet {
namespace {

static_assert(2 * ScrubWorker::files_max <= message_files_max);

constexpr auto time_limit = std::chrono::minutes(2);

// glibc 2.41 declares its wrapper without C linkage, so this makes the raw call.
void kill_process(const UniqueFd& process)
{
    syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
}

class RunningProcess final : public Pending {
public:
    RunningProcess(EventLoop& loop, UniqueFd process, std::function<void(bool)> done)
        : process_(std::move(process)), done_(std::move(done))
    {
        exited_ = loop.watch(process_.get(), EPOLLIN, [this](std::uint32_t) { finish(); });
        overdue_ = loop.at(SystemClock().boottime() + time_limit, [this] { kill_process(process_); });
    }

    ~RunningProcess() override
    {
        if (reaped_)
            return;
        kill_process(process_);
        siginfo_t info{};
        waitid(P_PIDFD, static_cast<id_t>(process_.get()), &info, WEXITED);
    }
    RunningProcess(const RunningProcess&) = delete;
    RunningProcess& operator=(const RunningProcess&) = delete;

private:
    void finish()
    {
        siginfo_t info{};
        waitid(P_PIDFD, static_cast<id_t>(process_.get()), &info, WEXITED);
        reaped_ = true;
        // done may destroy this object.
        const auto done = std::move(done_);
        done(info.si_code == CLD_EXITED && info.si_status == 0);
    }

    UniqueFd process_;
    std::function<void(bool)> done_;
    std::unique_ptr<Pending> exited_;
    std::unique_ptr<Pending> overdue_;
    bool reaped_ = false;
};

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

} // namespace

Result<std::unique_ptr<Pending>> ScrubProcess::start(std::span<const ScrubFile> files, std::function<void(bool)> done)
{
    const auto channel = make_channel();
    if (!channel)
        return channel.error();
    std::vector<int> descriptors;
    for (const ScrubFile& file : files)
        descriptors.insert(descriptors.end(), {file.input, file.output});
    if (auto sent = send_message(channel->first.get(), "scrub", descriptors); !sent)
        return sent.error();
    const SpawnActions actions(channel->second.get());
    std::string name = "tacet-scrub";
    const std::array<char*, 2> arguments{name.data(), nullptr};
    const std::array<char*, 1> environment{nullptr};
    int process = -1;
    const int status = pidfd_spawn(&process, program_.c_str(), actions.get(), nullptr, arguments.data(), environment.data());
    if (status != 0)
        return Error{ErrorCode::Failed, "cannot start " + program_ + ": " + std::strerror(status)};
    return std::unique_ptr<Pending>(std::make_unique<RunningProcess>(loop_, UniqueFd(process), std::move(done)));
}

} // namespace tacet
