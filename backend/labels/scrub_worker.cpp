// SPDX-License-Identifier: GPL-3.0-or-later
#include "labels/scrub_worker.h"

#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "util/unique_fd.h"

namespace tacet {
namespace {

constexpr auto time_limit = std::chrono::minutes(2);

// glibc 2.41 declares its wrapper without C linkage.
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

// One message with all descriptors, which the program takes from its fd 0.
Result<UniqueFd> send_files(std::span<const ScrubFile> files)
{
    std::array<int, 2> ends{-1, -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return Error{ErrorCode::Failed, std::string("no socket: ") + std::strerror(errno)};
    const UniqueFd near(ends[0]);
    UniqueFd far(ends[1]);

    std::vector<int> descriptors;
    for (const ScrubFile& file : files)
        descriptors.insert(descriptors.end(), {file.input, file.output});
    const std::size_t size = descriptors.size() * sizeof(int);
    std::vector<char> control(CMSG_SPACE(size));
    char byte = 0;
    iovec content{&byte, 1};
    msghdr message{};
    message.msg_iov = &content;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    std::memcpy(CMSG_DATA(header), descriptors.data(), size);
    if (sendmsg(near.get(), &message, MSG_NOSIGNAL) != 1)
        return Error{ErrorCode::Failed, std::string("files not passed: ") + std::strerror(errno)};
    return far;
}

} // namespace

Result<std::unique_ptr<Pending>> ScrubProcess::start(std::span<const ScrubFile> files, std::function<void(bool)> done)
{
    const auto socket = send_files(files);
    if (!socket)
        return socket.error();
    const SpawnActions actions(socket->get());
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
