// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/call_queue.h"

namespace tacet {

CallQueue::CallQueue(sdbus::IConnection& connection, Callers& callers, CallFilter& filter, Accounts& accounts,
                     Scheduler& scheduler)
    : callers_(callers), filter_(filter), accounts_(accounts), turns_(scheduler, [&connection] {
          for (int count = 0; count < messages_a_turn && connection.processPendingEvent(); ++count) {
          }
      })
{
}

void CallQueue::enter(const std::string& bus_name, std::function<void(Result<Admission>)> run)
{
    const std::size_t bytes = filter_.weight();
    if (const Caller* known = callers_.known(bus_name); known != nullptr) {
        admit(*known, bytes, std::move(run));
        return;
    }
    const std::size_t held = bytes + call_weight;
    std::size_t& of_caller = unknown_bytes_of_[bus_name];
    if (of_caller + held > unknown_bytes_of_one_max || unknown_bytes_ + held > unknown_bytes_max) {
        if (of_caller == 0)
            unknown_bytes_of_.erase(bus_name);
        run(Error{ErrorCode::TooMany, "too many requests are being worked on"});
        return;
    }
    of_caller += held;
    unknown_bytes_ += held;
    callers_.find(bus_name, [this, bus_name, bytes, held, run = std::move(run)](const Result<Caller>& caller) {
        unknown_bytes_ -= held;
        const auto of_this = unknown_bytes_of_.find(bus_name);
        of_this->second -= held;
        if (of_this->second == 0)
            unknown_bytes_of_.erase(of_this);
        if (!caller)
            run(caller.error());
        else
            admit(*caller, bytes, run);
    });
}

void CallQueue::admit(const Caller& caller, std::size_t bytes, std::function<void(Result<Admission>)> run)
{
    auto call = accounts_.charge(caller.uid, Resource::Calls);
    auto memory = accounts_.charge(caller.uid, Resource::CallBytes, bytes);
    if (!call || !memory) {
        run(call ? memory.error() : call.error());
        return;
    }
    turns_.add(caller.uid,
               [run = std::move(run), admission = Admission{caller, {std::move(*call), std::move(*memory)}}] { run(admission); });
}

} // namespace tacet
