// SPDX-License-Identifier: GPL-3.0-or-later
// Lets users take turns. Each of those who wait has one call answered before anybody has the next.
#pragma once

#include <sys/types.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>

#include "daemon/loop/scheduler.h"

namespace tacet {

class Turns {
public:
    // before_turn takes in calls that have come meanwhile, so that nobody's call waits in a queue that has no turns.
    Turns(Scheduler& scheduler, std::function<void()> before_turn) : scheduler_(scheduler), before_turn_(std::move(before_turn))
    {
    }

    void add(uid_t user, std::function<void()> work);

private:
    bool take();

    Scheduler& scheduler_;
    std::function<void()> before_turn_;
    std::map<uid_t, std::deque<std::function<void()>>> waiting_;
    uid_t last_ = 0;
    bool is_running_ = false;
    std::unique_ptr<Pending> turn_;
};

} // namespace tacet
