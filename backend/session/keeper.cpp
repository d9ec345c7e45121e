// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/keeper.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>

#include "common/channel.h"
#include "session/close_files.h"
#include "session/confinement.h"
#include "session/file_copy.h"
#include "session/program_environment.h"

namespace tacet {
namespace {

constexpr unsigned workers_max = 4;
constexpr unsigned walk_seconds = 60;
constexpr unsigned part_seconds = 10; // for a part of a file, as it may go to a pipe that nobody reads
constexpr rlim_t files_max = 1024;

Error failure(const char* what)
{
    return {ErrorCode::Failed, std::string(what) + ": " + std::strerror(errno)};
}

void answer(int channel, const Error& error)
{
    const std::string text = "failed " + std::to_string(static_cast<int>(error.code)) + " " + error.message;
    static_cast<void>(send_message(channel, text));
}

class Keeper {
public:
    Keeper(const SessionRequest& request, const FileTree& tree, int channel) : request_(request), tree_(tree), channel_(channel)
    {
    }

    void run();

private:
    void take(Message& message);
    [[noreturn]] void work(const Message& message) const;
    void list(int channel) const;
    void copy(const Message& message) const;

    const SessionRequest& request_;
    const FileTree& tree_;
    int channel_;
    unsigned workers_ = 0;
};

void Keeper::run()
{
    for (;;) {
        auto message = receive_message(channel_);
        if (!message || message->text.empty())
            return;
        take(*message);
    }
}

void Keeper::take(Message& message)
{
    while (workers_ > 0 && waitpid(-1, nullptr, WNOHANG) > 0)
        --workers_;
    if (message.files.empty())
        return;
    if (workers_ == workers_max)
        return answer(message.files[0].get(), {ErrorCode::TooMany, "other files are being copied"});
    const pid_t worker = fork();
    if (worker == 0)
        work(message);
    workers_ += worker > 0 ? 1 : 0;
}

void Keeper::work(const Message& message) const
{
    if (message.text == "files")
        list(message.files[0].get());
    else
        copy(message);
    _exit(EXIT_SUCCESS);
}

void Keeper::list(int channel) const
{
    alarm(walk_seconds);
    ChangeWalk walk(tree_.root.get());
    for (const Layer& layer : tree_.layers)
        walk.add(layer);
    for (const std::string& point : {std::string("/tmp"), std::string("/dev/shm"), runtime_directory(request_)})
        walk.add(FreshPlace{point, request_.uid});
    std::vector<SessionChange> changes = walk.finish();
    // This file is Tacet's own.
    std::erase_if(changes, [&](const auto& change) { return change.path == runtime_directory(request_) + "/xauthority"; });
    const auto file = make_memory_file(to_text(changes));
    if (!file)
        return answer(channel, file.error());
    static_cast<void>(send_message(channel, "done", std::array{file->get()}));
}

void Keeper::copy(const Message& message) const
{
    constexpr std::size_t files = 3;
    if (message.text != "keep" || message.files.size() != files)
        return;
    const int channel = message.files[0].get();
    const auto path = read_memory_file(message.files[2].get(), PATH_MAX);
    const auto from = path ? open_session_file(tree_.root.get(), *path) : path.error();
    if (!from)
        return answer(channel, from.error());
    struct sigaction interrupt{};
    interrupt.sa_handler = [](int) {};
    sigaction(SIGALRM, &interrupt, nullptr);
    const auto copied = copy_out(from->get(), message.files[1].get(), [] { alarm(part_seconds); });
    if (!copied)
        return answer(channel, copied.error());
    static_cast<void>(send_message(channel, "done"));
}

[[noreturn]] void become_keeper(const SessionRequest& request, const FileTree& tree, const UniqueFd& group, int channel)
{
    const bool joined = !group || write(group.get(), "0", 1) == 1;
    std::vector<int> kept{channel, tree.root.get()};
    for (const Layer& layer : tree.layers)
        kept.insert(kept.end(), {layer.upper.get(), layer.lower.get()});
    // The session's programs must get the end of their pipes when none of them holds the other end any more.
    close_all_but(std::move(kept));
    const rlimit limit{files_max, files_max};
    if (joined && setrlimit(RLIMIT_NOFILE, &limit) == 0 && confine_keeper(request))
        Keeper(request, tree, channel).run();
    _exit(EXIT_SUCCESS);
}

} // namespace

Result<UniqueFd> start_keeper(const SessionRequest& request, const FileTree& tree, const UniqueFd& group)
{
    auto channel = make_channel();
    if (!channel)
        return channel.error();
    const pid_t keeper = fork();
    if (keeper < 0)
        return failure("no process");
    if (keeper == 0)
        become_keeper(request, tree, group, channel->second.get());
    return std::move(channel->first);
}

} // namespace tacet
