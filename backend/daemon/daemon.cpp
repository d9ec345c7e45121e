// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/daemon.h"

#include "common/journal.h"

namespace tacet {

Daemon::Daemon(Store& store, const std::string& state_directory, Surroundings around)
    : around_(around),
      signals_(around.signals, around.clock, around.scheduler),
      gate_(around.authority),
      labels_(store.database),
      rule_store_(store.database),
      log_store_(store.database),
      log_(log_store_, signals_, around.clock, around.scheduler),
      rules_(rule_store_, store.damage, {around.processes, gate_, signals_, around.clock, around.scheduler}),
      shadows_(state_directory + "/shadow", labels_, {around.kernel, around.worker, around.clock, around.scheduler}),
      armer_(store.database, labels_, shadows_, log_, {around.kernel, signals_, around.clock, around.scheduler}),
      label_service_(store.database, labels_, shadows_, log_, {around.kernel, gate_, signals_, around.clock, around.scheduler}),
      breaches_(rules_, rule_store_, labels_, log_,
                {around.kernel, around.agents, gate_, signals_, around.processes, around.clock, around.scheduler, around.names}),
      protection_(store.damage,
                  {around.kernel, around.agents, gate_, signals_, log_, around.clock, around.scheduler, around.names}),
      sessions_({around.host, gate_, signals_, around.clock, around.scheduler}),
      to_adopt_(std::move(store.salvaged_paths))
{
    around_.kernel.on_event = [this](const KernelEvent& event) { on_event(event); };
    around_.kernel.on_state = [this](ModuleState state) { on_state(state); };
    around_.agents.on_arrived = [this](uid_t owner) { breaches_.on_agent_arrived(owner); };
    around_.agents.on_left = [this](uid_t owner) { breaches_.on_agent_left(owner); };
    around_.names.on_learned = [this](const LearnedName& learned) { breaches_.on_name_learned(learned); };
    around_.names.on_state = [this] { signals_.protection_changed(); };
    rules_.on_changed = [this] { breaches_.on_rules_changed(); };
    shadows_.on_made = [this](const LabelledFile& file) { signals_.labels_changed(file.owner); };
    protection_.on_paused = [this](bool paused) { breaches_.set_paused(paused); };
}

void Daemon::take_over(bool in_background)
{
    if (around_.kernel.state() != ModuleState::Active)
        return;
    if (auto applied = around_.kernel.set_policy({}); !applied)
        journal(Priority::Error, "the kernel refused the policy: " + applied.error().message);
    if (auto applied = label_service_.apply_guard(); !applied)
        journal(Priority::Error, "changes to labelled files are not guarded: " + applied.error().message);
    if (!to_adopt_.empty())
        armer_.adopt(std::exchange(to_adopt_, {}));
    if (in_background)
        armer_.arm_in_background();
    else
        armer_.arm_all();
}

void Daemon::on_state(ModuleState state)
{
    if (state == ModuleState::Active)
        take_over(true);
    else
        breaches_.drop_all();
    signals_.protection_changed();
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
    case NoticeKind::Tainted:
    case NoticeKind::Refused:
    case NoticeKind::Lost:
        log_.record_notice(notice);
        break;
    }
}

} // namespace tacet
