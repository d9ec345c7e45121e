// SPDX-License-Identifier: GPL-3.0-or-later
// Asks polkit for authority, over the bus and without waiting.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <sdbus-c++/sdbus-c++.h>

#include "daemon/core/account.h"
#include "daemon/core/ports.h"

namespace tacet {

class PolkitAuthority final : public Authority {
public:
    PolkitAuthority(sdbus::IConnection& connection, Accounts& accounts);
    void check(const Caller& caller, std::string_view action, Details details, std::function<void(bool)> done) override;
    // The caller has left the bus, so nobody is asked for a password on its behalf any more.
    void forget(const std::string& bus_name);

private:
    struct Open {
        std::string bus_name;
        std::shared_ptr<Accounts::Charge> charge;
    };

    Accounts& accounts_;
    std::unique_ptr<sdbus::IProxy> polkit_;
    std::map<std::uint64_t, Open> open_; // by cancellation id
    std::uint64_t last_id_ = 0;
};

} // namespace tacet
