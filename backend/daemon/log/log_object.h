// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's interface Log on the bus: it checks and translates arguments for the service.
#pragma once

#include "log_adaptor.h"

#include "daemon/bus/call.h"
#include "daemon/log/activity_log.h"

namespace tacet {

class LogObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Log_adaptor> {
public:
    LogObject(sdbus::IConnection& connection, CallQueue& calls, ActivityLog& service);
    ~LogObject() { unregisterAdaptor(); }

private:
    void List(sdbus::Result<std::vector<Dictionary>>&& result, std::uint64_t after, std::uint32_t limit) override;

    CallQueue& calls_;
    ActivityLog& service_;
};

} // namespace tacet
