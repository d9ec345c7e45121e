// SPDX-License-Identifier: GPL-3.0-or-later
// Brings a call to its handler. It finds out who calls, whether the account has room, and when it is the caller's turn.
#pragma once

#include <array>
#include <map>
#include <string>

#include "daemon/bus/call_filter.h"
#include "daemon/bus/callers.h"
#include "daemon/bus/turns.h"
#include "daemon/core/account.h"

namespace tacet {

// A call that may be answered. What it takes from the account is given back with it.
struct Admission {
    Caller caller;
    std::array<std::shared_ptr<Accounts::Charge>, 2> charges;
};

class CallQueue {
public:
    CallQueue(sdbus::IConnection& connection, Callers& callers, CallFilter& filter, Accounts& accounts, Scheduler& scheduler);

    // This is for the call that is being handled. run is called in its turn, or at once with AccessDenied or TooMany.
    void enter(const std::string& bus_name, std::function<void(Result<Admission>)> run);

private:
    // This limits the calls whose user the bus has not told yet.
    static constexpr std::size_t unknown_bytes_max = 64U << 20;
    // A call without arguments takes this.
    static constexpr std::size_t call_weight = 1024;
    // One connection may send one call that is as heavy as any may be, and some usual ones.
    static constexpr std::size_t unknown_bytes_of_one_max = CallFilter::weight_max + (1U << 20);
    // So many messages are taken in before a turn. The bus keeps only some for us, and then refuses everybody's.
    static constexpr int messages_a_turn = 256;

    void admit(const Caller& caller, std::size_t bytes, std::function<void(Result<Admission>)> run);

    Callers& callers_;
    CallFilter& filter_;
    Accounts& accounts_;
    Turns turns_;
    std::size_t unknown_bytes_ = 0;
    std::map<std::string, std::size_t> unknown_bytes_of_; // by the caller's name on the bus
};

} // namespace tacet
