// SPDX-License-Identifier: GPL-3.0-or-later
// Asks polkit for authority, over the bus and without waiting.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <sdbus-c++/sdbus-c++.h>

#include "daemon/core/ports.h"

namespace tacet {

class PolkitAuthority final : public Authority {
public:
    explicit PolkitAuthority(sdbus::IConnection& connection);
    void check(const Caller& caller, std::string_view action, std::function<void(bool)> done) override;
    // The caller has left the bus, so nobody is asked for a password on its behalf any more.
    void forget(const std::string& bus_name);

private:
    // Each may stand for an open password dialog.
    static constexpr std::size_t open_max = 64;
    static constexpr std::size_t open_max_of_user = 16;

    struct Open {
        uid_t user;
        std::string bus_name;
    };

    std::unique_ptr<sdbus::IProxy> polkit_;
    std::map<std::uint64_t, Open> open_; // by cancellation id
    std::uint64_t last_id_ = 0;
};

} // namespace tacet
