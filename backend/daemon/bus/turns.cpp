// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/turns.h"

#include <utility>

namespace tacet {

void Turns::add(uid_t user, std::function<void()> work)
{
    waiting_[user].push_back(std::move(work));
    if (!std::exchange(is_running_, true))
        turn_ = scheduler_.soon([this] { return take(); });
}

bool Turns::take()
{
    before_turn_();
    auto next = waiting_.upper_bound(last_);
    if (next == waiting_.end())
        next = waiting_.begin();
    last_ = next->first;
    const auto work = std::move(next->second.front());
    next->second.pop_front();
    if (next->second.empty())
        waiting_.erase(next);
    work();
    is_running_ = !waiting_.empty();
    return is_running_;
}

} // namespace tacet
