// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/scrub_worker.h"

#include <vector>

#include "common/channel.h"
#include "daemon/loop/child_process.h"

namespace tacet {
namespace {

static_assert(2 * ScrubWorker::files_max <= message_files_max);

constexpr auto time_limit = std::chrono::minutes(2);

struct ScrubRun final : public Pending {
    std::unique_ptr<ChildProcess> process;
    std::unique_ptr<Pending> overdue;
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
    auto process = ChildProcess::start(loop_, program_, channel->second.get(), std::move(done));
    if (!process)
        return process.error();
    auto run = std::make_unique<ScrubRun>();
    run->process = std::move(*process);
    run->overdue = loop_.at(SystemClock().boottime() + time_limit, [child = run->process.get()] { child->kill(); });
    return std::unique_ptr<Pending>(std::move(run));
}

} // namespace tacet
