// SPDX-License-Identifier: GPL-3.0-or-later
// The daemon's presence on the bus: connection, name, objects, signals.
#pragma once

#include <memory>

#include "daemon/breaches/agents.h"
#include "daemon/breaches/breaches_object.h"
#include "daemon/bus/authority.h"
#include "daemon/bus/call_queue.h"
#include "daemon/labels/labels_object.h"
#include "daemon/log/log_object.h"
#include "daemon/memory/memory_object.h"
#include "daemon/protection/protection_object.h"
#include "daemon/rules/rules_object.h"
#include "daemon/sessions/sessions_object.h"

namespace tacet {

struct Services {
    LabelService& labels;
    BreachService& breaches;
    RuleBook& rules;
    ActivityLog& log;
    ProtectionService& protection;
    SessionService& sessions;
    MemoryService& memory;
};

class BusServer final : public Signals {
public:
    // Connects to the bus. Nothing is offered before publish().
    explicit BusServer(EventLoop& loop);

    Agents& agents() { return agents_; }
    Authority& authority() { return authority_; }
    sdbus::IConnection& connection() { return *connection_; }
    void publish(const Services& services);

    void labels_changed(uid_t owner) override;
    void breaches_changed(uid_t owner) override;
    void rules_changed(uid_t owner) override;
    void log_added(uid_t owner, std::uint64_t id) override;
    void protection_changed() override;
    void sessions_changed(uid_t owner) override;

private:
    void forget_leavers();

    CallFilter filter_;
    std::unique_ptr<sdbus::IConnection> connection_;
    Accounts accounts_;
    Callers callers_;
    CallQueue calls_;
    BusAgents agents_;
    PolkitAuthority authority_;
    std::unique_ptr<LabelsObject> labels_;
    std::unique_ptr<BreachesObject> breaches_;
    std::unique_ptr<RulesObject> rules_;
    std::unique_ptr<LogObject> log_;
    std::unique_ptr<ProtectionObject> protection_;
    std::unique_ptr<SessionsObject> sessions_;
    std::unique_ptr<MemoryObject> memory_;
};

} // namespace tacet
