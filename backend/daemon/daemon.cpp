// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/daemon.h"

#include "common/journal.h"

namespace tacet {

Daemon::Daemon(Store& store, const Settings& settings, Surroundings around)
    : around_(around),
      signals_(around.signals, around.clock, around.scheduler),
      gate_(around.authority),
      labels_(store.database),
      rule_store_(store.database),
      log_store_(store.database),
      log_(log_store_, signals_, around.clock, around.scheduler),
      rules_(rule_store_, store.damage, {around.processes, gate_, signals_, around.clock, around.scheduler}),
      index_(store.database, labels_, around.kernel, around.clock),
      shadows_(settings.state + "/shadow", labels_,
               {around.kernel, around.worker, around.lookups, around.clock, around.scheduler}),
      armer_(labels_, index_, shadows_, log_, settings.labels,
             {around.kernel, around.lookups, signals_, around.clock, around.scheduler}),
      label_service_(store.database, labels_, index_, shadows_, log_,
                     {around.kernel, around.lookups, gate_, signals_, around.scheduler}),
      breaches_(rules_, rule_store_, labels_, index_, log_,
                {around.kernel, around.agents, gate_, signals_, around.lookups, around.clock, around.scheduler, around.names}),
      protection_(store.damage,
                  {around.kernel, around.agents, gate_, signals_, log_, around.clock, around.scheduler, around.names}),
      memory_(store.database, settings.stamps, {around.kernel, gate_, signals_}),
      boxes_(settings.boxes),
      sessions_({around.host, boxes_, around.lookups, gate_, signals_, around.clock, around.scheduler}, settings.sessions_max),
      to_adopt_(std::move(store.salvaged_paths))
{
    if (!store.is_trusted)
        armer_.distrust();
    index_.open_shadow = [this](const LabelledFile& entry, const FoundFile& file) { return shadows_.open_current(entry, file); };
    index_.on_removed = [this](std::int64_t id) { shadows_.discard(id); };
    protection_.memory_policy = [this]() -> const MemoryPolicy& { return memory_.in_force(); };
    protection_.label_state = [this] { return armer_.state(); };
    around_.kernel.on_event = [this](const KernelEvent& event) { on_event(event); };
    around_.kernel.on_state = [this](ModuleState state) { on_state(state); };
    around_.agents.on_arrived = [this](uid_t owner) {
        breaches_.on_agent_arrived(owner);
        sessions_.on_person_arrived(owner);
    };
    around_.agents.on_left = [this](uid_t owner) {
        breaches_.on_agent_left(owner);
        if (!around_.agents.present(owner))
            sessions_.on_person_left(owner);
    };
    around_.names.on_learned = [this](const LearnedName& learned) { breaches_.on_name_learned(learned); };
    around_.names.on_state = [this] { signals_.protection_changed(); };
    rules_.on_changed = [this] { breaches_.on_rules_changed(); };
    shadows_.on_made = [this](const LabelledFile& file) { signals_.labels_changed(file.owner); };
    protection_.on_paused = [this](bool paused) { breaches_.set_paused(paused); };
    sessions_.take_over();
}

void Daemon::take_over(std::function<void()> done)
{
    if (around_.kernel.state() == ModuleState::Active) {
        if (auto applied = around_.kernel.set_policy({}); !applied)
            journal(Priority::Error, "the kernel refused the policy: " + applied.error().message);
        if (auto applied = label_service_.apply_guard(); !applied)
            journal(Priority::Error, "changes to labelled files are not guarded: " + applied.error().message);
        if (auto applied = memory_.apply(); !applied)
            journal(Priority::Error, "freed memory is not cleared: " + applied.error().message);
        if (!to_adopt_.empty())
            armer_.adopt(std::exchange(to_adopt_, {}));
    }
    armer_.arm(std::move(done));
}

void Daemon::on_state(ModuleState state)
{
    if (state == ModuleState::Active)
        take_over({});
    else
        drop_kernel_state();
    signals_.protection_changed();
}

void Daemon::drop_kernel_state()
{
    breaches_.drop_all();
    memory_.drop();
}

void Daemon::on_event(const KernelEvent& event)
{
    if (const auto* asked = std::get_if<Asked>(&event))
        breaches_.on_asked(asked->question);
    else if (const auto* missed = std::get_if<Missed>(&event))
        breaches_.on_missed(missed->question);
    else
        on_notice(std::get<Notice>(event));
}

void Daemon::on_notice(const Notice& notice)
{
    switch (notice.kind) {
    case NoticeKind::Withdrawn:
        breaches_.on_withdrawn(notice);
        break;
    case NoticeKind::Labelled:
        armer_.on_labelled(notice);
        break;
    case NoticeKind::Stale:
        armer_.on_stale(notice);
        break;
    case NoticeKind::Lost:
        // A lost notice may have told of a derived file.
        armer_.distrust();
        armer_.arm();
        log_.record_notice(notice);
        break;
    case NoticeKind::Tainted:
    case NoticeKind::Refused:
        log_.record_notice(notice);
        break;
    }
}

} // namespace tacet
