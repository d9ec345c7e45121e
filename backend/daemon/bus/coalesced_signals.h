// SPDX-License-Identifier: GPL-3.0-or-later
// Sends one signal for many that come in bulk. Ten thousand labelled files are not ten thousand messages.
#pragma once

#include <map>
#include <memory>
#include <set>

#include "daemon/core/ports.h"
#include "daemon/loop/scheduler.h"

namespace tacet {

class CoalescedSignals final : public Signals {
public:
    CoalescedSignals(Signals& signals, const Clock& clock, Scheduler& scheduler)
        : signals_(signals), clock_(clock), scheduler_(scheduler)
    {
    }

    // These are held for a moment. Then one signal for each user is sent, with the last id.
    void labels_changed(uid_t owner) override;
    void rules_changed(uid_t owner) override;
    void log_added(uid_t owner, std::uint64_t id) override;
    // A client may be waiting for these.
    void breaches_changed(uid_t owner) override { signals_.breaches_changed(owner); }
    void protection_changed() override { signals_.protection_changed(); }
    void sessions_changed(uid_t owner) override { signals_.sessions_changed(owner); }

private:
    static constexpr auto delay = std::chrono::milliseconds(100);

    void send_soon();
    void send();

    Signals& signals_;
    const Clock& clock_;
    Scheduler& scheduler_;
    std::set<uid_t> labels_;
    std::set<uid_t> rules_;
    std::map<uid_t, std::uint64_t> log_;
    std::unique_ptr<Pending> timer_;
};

} // namespace tacet
