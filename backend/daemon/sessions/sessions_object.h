// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's interface Sessions on the bus: it checks and translates arguments for the service.
#pragma once

#include "sessions_adaptor.h"

#include "daemon/bus/call.h"
#include "daemon/sessions/session_service.h"

namespace tacet {

class SessionsObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Sessions_adaptor> {
public:
    SessionsObject(sdbus::IConnection& connection, CallQueue& calls, SessionService& service);
    ~SessionsObject() { unregisterAdaptor(); }

private:
    using Bytes = std::vector<std::uint8_t>;

    void Start(sdbus::Result<std::uint64_t>&& result, std::vector<Bytes> command, std::vector<Bytes> environment, Bytes directory,
               std::vector<sdbus::UnixFd> files, Dictionary options) override;
    void List(sdbus::Result<std::vector<Dictionary>>&& result) override;
    void End(sdbus::Result<>&& result, std::uint64_t id) override;
    void EndAll(sdbus::Result<>&& result) override;
    void Files(sdbus::Result<std::vector<Dictionary>>&& result, std::uint64_t id) override;
    void Boxes(sdbus::Result<std::vector<Dictionary>>&& result) override;
    void RemoveBox(sdbus::Result<>&& result, std::string name) override;
    void Keep(sdbus::Result<>&& result, std::uint64_t id, Bytes path, sdbus::UnixFd file) override;

    CallQueue& calls_;
    SessionService& service_;
};

} // namespace tacet
