// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the bus, without waiting, who owns a bus name.
#pragma once

#include <map>
#include <memory>

#include <sdbus-c++/sdbus-c++.h>

#include "daemon/core/ports.h"

namespace tacet {

class Callers {
public:
    explicit Callers(sdbus::IConnection& connection);

    void find(const std::string& bus_name, Reply<Caller> reply);
    // Returns the caller if find() would not have to ask, or null.
    const Caller* known(const std::string& bus_name) const;
    void forget(const std::string& bus_name) { known_.erase(bus_name); }

private:
    // The bus never gives a unique name twice, so an entry cannot come to mean somebody else.
    static constexpr std::size_t known_max = 1024;

    std::unique_ptr<sdbus::IProxy> bus_;
    std::map<std::string, Caller> known_;
};

} // namespace tacet
