// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/coalesced_signals.h"

#include <utility>

namespace tacet {

void CoalescedSignals::labels_changed(uid_t owner)
{
    labels_.insert(owner);
    send_soon();
}

void CoalescedSignals::rules_changed(uid_t owner)
{
    rules_.insert(owner);
    send_soon();
}

void CoalescedSignals::log_added(uid_t owner, std::uint64_t id)
{
    log_[owner] = id;
    send_soon();
}

void CoalescedSignals::send_soon()
{
    if (timer_ == nullptr)
        timer_ = scheduler_.at(clock_.boottime() + delay, [this] { send(); });
}

void CoalescedSignals::send()
{
    const auto ended = std::move(timer_);
    for (const uid_t owner : std::exchange(labels_, {}))
        signals_.labels_changed(owner);
    for (const uid_t owner : std::exchange(rules_, {}))
        signals_.rules_changed(owner);
    for (const auto& [owner, id] : std::exchange(log_, {}))
        signals_.log_added(owner, id);
}

} // namespace tacet
