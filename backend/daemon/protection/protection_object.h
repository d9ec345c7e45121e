// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's interface Protection on the bus: it checks and translates arguments for the service.
#pragma once

#include "contract/methods.h"
#include "protection_adaptor.h"

#include "daemon/bus/call.h"
#include "daemon/protection/protection_service.h"

namespace tacet {

class ProtectionObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Protection_adaptor> {
public:
    ProtectionObject(sdbus::IConnection& connection, CallQueue& calls, ProtectionService& service);
    ~ProtectionObject() { unregisterAdaptor(); }

    void emit_changed();

private:
    void List(sdbus::Result<std::vector<Dictionary>>&& result) override;
    void Pause(sdbus::Result<std::uint64_t>&& result, std::uint32_t minutes) override;
    void Resume(sdbus::Result<>&& result) override;
    std::string Version() override;
    std::uint32_t Contract() override { return contract::version; }
    std::string Module() override { return service_.module_state(); }
    std::uint64_t PausedUntil() override { return service_.paused_until(); }

    CallQueue& calls_;
    ProtectionService& service_;
};

} // namespace tacet
