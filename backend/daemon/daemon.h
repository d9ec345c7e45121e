// SPDX-License-Identifier: GPL-3.0-or-later
// All services, and how they are tied together.
#pragma once

#include "daemon/breaches/breach_service.h"
#include "daemon/bus/coalesced_signals.h"
#include "daemon/labels/label_armer.h"
#include "daemon/labels/label_service.h"
#include "daemon/protection/protection_service.h"
#include "daemon/server.h"
#include "daemon/sessions/session_service.h"
#include "daemon/store/store.h"

namespace tacet {

class Daemon {
public:
    struct Surroundings {
        KernelLink& kernel;
        Agents& agents;
        Authority& authority;
        Signals& signals;
        ScrubWorker& worker;
        SessionHost& host;
        ProcessTable& processes;
        const Clock& clock;
        Scheduler& scheduler;
        NameSource& names;
    };

    Daemon(Store& store, const std::string& state_directory, Surroundings surroundings);

    // Brings policy and labels to the module, which is there or has just come. in_background: some labels in each turn of the
    // loop.
    void take_over(bool in_background);
    // Tries again after a mount: files that were missing may be there now.
    void look_again() { armer_.arm_in_background(); }
    Services services() { return {label_service_, breaches_, rules_, log_, protection_, sessions_}; }

private:
    void on_event(const KernelEvent& event);
    void on_notice(const Notice& notice);
    void on_state(ModuleState state);

    Surroundings around_;
    CoalescedSignals signals_;
    Gate gate_;
    LabelStore labels_;
    RuleStore rule_store_;
    LogStore log_store_;
    ActivityLog log_;
    RuleBook rules_;
    ShadowService shadows_;
    LabelArmer armer_;
    LabelService label_service_;
    BreachService breaches_;
    ProtectionService protection_;
    SessionService sessions_;
    std::vector<std::string> to_adopt_;
};

} // namespace tacet
