// SPDX-License-Identifier: GPL-3.0-or-later
// Counts stamps in memory by the kernel, in a thread, as the kernel reads all memory for it.
#pragma once

#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "common/result.h"
#include "common/unique_fd.h"
#include "daemon/loop/event_loop.h"

namespace tacet {

class StampCounter {
public:
    using Counts = std::vector<std::uint64_t>;

    explicit StampCounter(EventLoop& loop);

    // device: of the module. done gets TooMany while another count is under way, and NotFound for an unknown tag.
    void count(int device, const std::vector<std::uint64_t>& tags, std::function<void(Result<Counts>)> done);

private:
    void end();

    EventLoop& loop_;
    UniqueFd ended_;
    std::unique_ptr<Pending> watch_;
    std::function<void(Result<Counts>)> done_;
    Result<Counts> counts_ = Counts();
    std::jthread thread_; // the last member: it ends before what it uses
};

} // namespace tacet
