// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/protection/protection_service.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "common/journal.h"
#include "common/swap_areas.h"
#include "contract/methods.h"

namespace tacet {
namespace {

constexpr std::uint32_t pause_minutes_max = 60;
constexpr const char* boot_link = "/etc/systemd/system/multi-user.target.wants/tacetd.service";

std::string module_name()
{
    utsname names{};
    uname(&names);
    return std::string("tacet.ko ") + names.release;
}

// Without encryption a session's memory is not swapped at all.
Protection private_swap(bool kernel_sessions)
{
    const SwapState state = swap_state();
    if (state == SwapState::None)
        return {"private-swap", true, "", "no-swap"};
    if (state == SwapState::Encrypted && kernel_sessions)
        return {"private-swap", true, module_name(), ""};
    return {"private-swap", true, "memory.swap.max", "not-swapped"};
}

} // namespace

ProtectionService::ProtectionService(std::string store_damage, Surroundings surroundings)
    : store_damage_(std::move(store_damage)), around_(surroundings)
{
}

std::string ProtectionService::module_state()
{
    return std::string(to_string(around_.kernel.state()));
}

Protection ProtectionService::kernel_protection(const char* name, bool in_force) const
{
    if (around_.kernel.state() != ModuleState::Active)
        return {name, false, "", "module-" + std::string(to_string(around_.kernel.state()))};
    if (!in_force)
        return {name, false, module_name(), "feature-off"};
    return {name, true, module_name(), ""};
}

Protection ProtectionService::freed_memory() const
{
    const MemoryPolicy policy = memory_policy ? memory_policy() : MemoryPolicy{};
    const Protection kernel = kernel_protection("freed-memory", true);
    if (kernel.enforced && policy.scope == contract::MemoryScope::Off)
        return {"freed-memory", false, module_name(), "memory-off"};
    if (kernel.enforced && policy.layers.size() < contract::memory_layer_words.size())
        return {"freed-memory", false, module_name(), "layer-off"};
    return kernel;
}

// Where the module cannot clear what the kernel's own allocator frees, the kernel can, from its start on.
Protection ProtectionService::kernel_memory(bool in_force) const
{
    Protection found = kernel_protection("kernel-memory", in_force);
    if (found.detail == "feature-off")
        found.detail = "not-at-boot";
    return found;
}

void ProtectionService::list(Reply<std::vector<Protection>> reply)
{
    const KernelFeatures features = around_.kernel.features();
    const bool active = around_.kernel.state() == ModuleState::Active;
    const bool agent = around_.agents.any_present();
    const bool watching = around_.names.watching();
    const bool at_boot = access(boot_link, F_OK) == 0;
    const std::string index = label_state ? label_state() : "";
    Protection disclosure = kernel_protection("disclosure", features.doppelgangers);
    if (disclosure.enforced && paused_until_ != 0)
        disclosure = {"disclosure", false, module_name(), "paused"};
    reply(std::vector<Protection>{
        kernel_protection("labels", features.labels),
        {"label-index", active && index.empty(), "tacetd", active ? index : "module-" + module_state()},
        kernel_protection("interposition", features.interposition),
        kernel_protection("doppelgangers", features.doppelgangers),
        kernel_protection("channels", features.channels),
        disclosure,
        {"questions", active && agent, agent ? "tacetd and the app" : "tacetd",
         agent ? (active ? "" : "module-absent") : "no-agent"},
        {"shadow-files", active, "tacet-scrub", active ? "" : "module-" + module_state()},
        kernel_protection("private-memory", features.sessions),
        private_swap(features.sessions),
        freed_memory(),
        kernel_memory(features.objects),
        {"host-names", watching, "tacet-names", watching ? "" : "names-not-seen"},
        {"lasting-rules", store_damage_.empty(), "tacetd", store_damage_.empty() ? "" : "store-damaged"},
        {"boot", at_boot, "tacetd.service", at_boot ? "" : "not-enabled"},
    });
}

void ProtectionService::pause(const Caller& caller, std::uint32_t minutes, Reply<UnixTime> reply)
{
    if (minutes < 1 || minutes > pause_minutes_max) {
        reply(Error{ErrorCode::InvalidArgument, "minutes must be 1 to 60"});
        return;
    }
    around_.gate.pass(caller, contract::protection::pause, Reach::Own,
                      [this, caller, minutes, reply](const Result<void>& passed) {
                          if (!passed)
                              reply(passed.error());
                          else
                              reply(begin_pause(caller, minutes));
                      });
}

UnixTime ProtectionService::begin_pause(const Caller& caller, std::uint32_t minutes)
{
    paused_until_ = around_.clock.realtime() + UnixTime{minutes} * 60;
    pause_timer_ = around_.scheduler.at(around_.clock.boottime() + std::chrono::minutes(minutes), [this] {
        const auto ended = std::move(pause_timer_);
        end_pause();
    });
    LogEntry entry;
    entry.owner = caller.uid;
    entry.kind = "paused";
    entry.reason = std::to_string(minutes) + "min";
    around_.log.record(std::move(entry));
    if (on_paused)
        on_paused(true);
    around_.signals.protection_changed();
    return paused_until_;
}

void ProtectionService::resume(const Caller& caller, Reply<void> reply)
{
    if (paused_until_ == 0) {
        reply({});
        return;
    }
    around_.gate.pass(caller, contract::protection::resume, Reach::Own, [this, reply](const Result<void>& passed) {
        if (passed)
            end_pause();
        reply(passed);
    });
}

void ProtectionService::end_pause()
{
    paused_until_ = 0;
    pause_timer_.reset();
    if (on_paused)
        on_paused(false);
    around_.signals.protection_changed();
}

} // namespace tacet
