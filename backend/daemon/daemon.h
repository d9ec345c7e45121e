// SPDX-License-Identifier: GPL-3.0-or-later
// All services, and how they are tied together.
#pragma once

#include "daemon/breaches/breach_service.h"
#include "daemon/bus/coalesced_signals.h"
#include "daemon/labels/label_armer.h"
#include "daemon/labels/label_service.h"
#include "daemon/memory/memory_service.h"
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
        Lookups& lookups;
        SessionHost& host;
        ProcessTable& processes;
        const Clock& clock;
        Scheduler& scheduler;
        NameSource& names;
    };

    struct Settings {
        std::string state;  // directory
        std::string labels; // the folder where labels are looked for that the index may lack; empty: everywhere
        std::string boxes = boxes_folder;
        std::string stamps; // a program that is always chosen, as it shows what clearing does; empty: none
        std::size_t sessions_max = limit_of(Resource::Sessions); // private sessions of one user at a time
    };

    Daemon(Store& store, const Settings& settings, Surroundings surroundings);

    // Brings policy and labels to the module, which is there or has just come. done is called when every label that can be found
    // triggers.
    void take_over(std::function<void()> done);
    // Tries again after a mount: files that were missing may be there now.
    void look_again() { armer_.arm(); }
    // Tells at the end whether the index has all that the kernel has told.
    bool is_settled() const { return armer_.is_settled() && !around_.kernel.has_events(); }
    Services services() { return {label_service_, breaches_, rules_, log_, protection_, sessions_, memory_}; }

private:
    void on_event(const KernelEvent& event);
    void on_notice(const Notice& notice);
    void on_state(ModuleState state);
    void drop_kernel_state();

    Surroundings around_;
    CoalescedSignals signals_;
    Gate gate_;
    LabelStore labels_;
    RuleStore rule_store_;
    LogStore log_store_;
    ActivityLog log_;
    RuleBook rules_;
    LabelIndex index_;
    ShadowService shadows_;
    LabelArmer armer_;
    LabelService label_service_;
    BreachService breaches_;
    ProtectionService protection_;
    MemoryService memory_;
    Boxes boxes_;
    SessionService sessions_;
    std::vector<std::string> to_adopt_;
};

} // namespace tacet
