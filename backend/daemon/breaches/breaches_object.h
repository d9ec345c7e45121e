// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's interface Breaches on the bus: it checks and translates arguments for the service.
#pragma once

#include "breaches_adaptor.h"

#include "daemon/breaches/breach_service.h"
#include "daemon/bus/call.h"

namespace tacet {

class BreachesObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Breaches_adaptor> {
public:
    BreachesObject(sdbus::IConnection& connection, CallQueue& calls, BreachService& service);
    ~BreachesObject() { unregisterAdaptor(); }

private:
    void List(sdbus::Result<std::vector<Dictionary>>&& result) override;
    void Answer(sdbus::Result<std::uint64_t, std::uint32_t>&& result, std::uint64_t id, std::string verdict, std::string duration,
                Dictionary scope) override;
    void Extend(sdbus::Result<std::uint64_t>&& result, std::uint64_t id) override;
    void RegisterAgent(sdbus::Result<>&& result, sdbus::ObjectPath path) override;
    void UnregisterAgent(sdbus::Result<>&& result) override;

    CallQueue& calls_;
    BreachService& service_;
};

} // namespace tacet
