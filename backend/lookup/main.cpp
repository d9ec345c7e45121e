// SPDX-License-Identifier: GPL-3.0-or-later
// tacet-lookup asks file systems, /proc and the list of users in tacetd's place, as each of them may never answer. It takes
// requests from the socket on fd 0 until that is closed.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "common/channel.h"
#include "lookup/answer.h"

namespace {

using namespace tacet;

constexpr std::size_t request_max = 8U << 20;

// A look through all file systems takes what others leave. glibc has no names for the classes of disk use.
void be_humble()
{
    constexpr int of_process = 1;
    constexpr int idle_class = 3 << 13;
    setpriority(PRIO_PROCESS, 0, 19);
    syscall(SYS_ioprio_set, of_process, 0, idle_class);
}

void send_reply(const LookupReply& reply)
{
    const int file = reply.file.get();
    const std::span<const int> files(&file, reply.file ? 1 : 0);
    // tacetd has gone, or is not interested any more.
    if (!send_message(STDIN_FILENO, to_text(reply.words), files, SendMode::Wait))
        std::_Exit(EXIT_FAILURE);
}

bool answer_next()
{
    const auto message = receive_message(STDIN_FILENO);
    if (!message || message->files.size() != 1)
        return false;
    const auto text = read_memory_file(message->files[0].get(), request_max);
    const auto request = text ? parse_lookup(*text) : Result<LookupRequest>(text.error());
    if (!request)
        return false;
    if (request->verb == "labels")
        be_humble();
    lookup::answer(*request, send_reply);
    return true;
}

} // namespace

int main()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (close_range(3, ~0U, 0) != 0)
        return EXIT_FAILURE;
    while (answer_next()) {
    }
    return EXIT_SUCCESS;
}
