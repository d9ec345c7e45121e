// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's interface Rules on the bus: it checks and translates arguments for the service.
#pragma once

#include "rules_adaptor.h"

#include "daemon/bus/call.h"
#include "daemon/rules/rule_book.h"

namespace tacet {

class RulesObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Rules_adaptor> {
public:
    RulesObject(sdbus::IConnection& connection, CallQueue& calls, RuleBook& service);
    ~RulesObject() { unregisterAdaptor(); }

private:
    void List(sdbus::Result<std::vector<Dictionary>>&& result) override;
    void Show(sdbus::Result<Dictionary>&& result, std::uint64_t id) override;
    void Add(sdbus::Result<std::uint64_t>&& result, Dictionary rule) override;
    void Remove(sdbus::Result<>&& result, std::uint64_t id) override;

    CallQueue& calls_;
    RuleBook& service_;
};

} // namespace tacet
