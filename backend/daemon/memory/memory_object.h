// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's interface Memory on the bus: it checks and translates arguments for the service.
#pragma once

#include "memory_adaptor.h"

#include "daemon/bus/call.h"
#include "daemon/memory/memory_service.h"

namespace tacet {

class MemoryObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Memory_adaptor> {
public:
    MemoryObject(sdbus::IConnection& connection, CallQueue& calls, MemoryService& service);
    ~MemoryObject() { unregisterAdaptor(); }

private:
    using Numbers = std::vector<std::uint64_t>;

    void Policy(sdbus::Result<std::string, std::vector<std::string>, std::vector<std::string>>&& result) override;
    void SetScope(sdbus::Result<>&& result, std::string scope) override;
    void SetLayer(sdbus::Result<>&& result, std::string layer, bool cleared) override;
    void AddProgram(sdbus::Result<>&& result, std::string path) override;
    void RemoveProgram(sdbus::Result<>&& result, std::string path) override;
    void MakeTags(sdbus::Result<Numbers>&& result, std::uint32_t count) override;
    void CountStamps(sdbus::Result<Numbers>&& result, Numbers tags) override;

    CallQueue& calls_;
    MemoryService& service_;
};

} // namespace tacet
