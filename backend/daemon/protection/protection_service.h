// SPDX-License-Identifier: GPL-3.0-or-later
// Tells which protections are enforced now, and pauses them.
#pragma once

#include "daemon/bus/gate.h"
#include "daemon/kernel_link/kernel_link.h"
#include "daemon/log/activity_log.h"
#include "daemon/loop/scheduler.h"
#include "daemon/names/name_source.h"

namespace tacet {

struct Protection {
    std::string name;
    bool enforced = false;
    std::string by;
    std::string detail;
};

class ProtectionService final {
public:
    struct Surroundings {
        KernelLink& kernel;
        Agents& agents;
        Gate& gate;
        Signals& signals;
        ActivityLog& log;
        const Clock& clock;
        Scheduler& scheduler;
        NameSource& names;
    };

    ProtectionService(std::string store_damage, Surroundings surroundings);

    std::string module_state();
    UnixTime paused_until() { return paused_until_; }
    void list(Reply<std::vector<Protection>> reply);
    void pause(const Caller& caller, std::uint32_t minutes, Reply<UnixTime> reply);
    void resume(const Caller& caller, Reply<void> reply);

    std::function<void(bool)> on_paused;
    // Why the index does not know every label; empty: it does.
    std::function<std::string()> label_state;
    // Whose freed memory the kernel clears.
    std::function<const MemoryPolicy&()> memory_policy;

private:
    Protection freed_memory() const;
    Protection kernel_memory(bool in_force) const;
    Protection kernel_protection(const char* name, bool in_force) const;
    UnixTime begin_pause(const Caller& caller, std::uint32_t minutes);
    void end_pause();

    std::string store_damage_;
    Surroundings around_;
    UnixTime paused_until_ = 0;
    std::unique_ptr<Pending> pause_timer_;
};

} // namespace tacet
