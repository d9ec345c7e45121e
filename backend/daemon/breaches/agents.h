// SPDX-License-Identifier: GPL-3.0-or-later
// The apps that registered to show questions, one for each bus connection. They are asked only while their session is the
// active one.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include <sdbus-c++/sdbus-c++.h>

#include "daemon/core/account.h"
#include "daemon/core/ports.h"
#include "daemon/loop/event_loop.h"

struct sd_login_monitor;

namespace tacet {

class BusAgents final : public Agents {
public:
    BusAgents(sdbus::IConnection& connection, EventLoop& loop);

    Result<void> add(const Caller& caller, const std::string& path) override;
    void remove(const Caller& caller) override { forget(caller.bus_name); }
    bool present(uid_t owner) override;
    bool any_present() override { return !agents_.empty(); }
    void ask(const Question& question) override;
    void withdraw(uid_t owner, QuestionId id, std::string_view reason) override;

    void forget(const std::string& bus_name);

private:
    static constexpr std::size_t per_user_max = limit_of(Resource::Agents);

    struct Agent {
        Caller caller;
        std::unique_ptr<sdbus::IProxy> proxy;
    };
    struct CloseMonitor {
        void operator()(sd_login_monitor* monitor) const;
    };

    void watch_sessions(EventLoop& loop);

    sdbus::IConnection& connection_;
    std::map<std::string, Agent> agents_;
    std::unique_ptr<sd_login_monitor, CloseMonitor> monitor_;
    std::unique_ptr<Pending> sessions_changed_;
};

} // namespace tacet
