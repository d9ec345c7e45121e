// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/breaches/agents.h"

#include <systemd/sd-login.h>

#include <algorithm>

#include "contract/methods.h"
#include "daemon/breaches/active_session.h"
#include "daemon/breaches/question_dictionary.h"

namespace tacet {
namespace {

// A full queue or a vanished agent is no reason to fail, as the question stays open until its deadline.
template <typename... Arguments>
void send(sdbus::IProxy& proxy, const contract::Method& method, const Arguments&... arguments)
{
    try {
        proxy.callMethod(method.name.data()).onInterface(method.interface.data()).withArguments(arguments...).dontExpectReply();
    } catch (const sdbus::Error&) {
    }
}

} // namespace

void BusAgents::CloseMonitor::operator()(sd_login_monitor* monitor) const
{
    sd_login_monitor_unref(monitor);
}

BusAgents::BusAgents(sdbus::IConnection& connection, EventLoop& loop) : connection_(connection)
{
    watch_sessions(loop);
}

void BusAgents::watch_sessions(EventLoop& loop)
{
    sd_login_monitor* monitor = nullptr;
    if (sd_login_monitor_new("session", &monitor) < 0)
        return;
    monitor_.reset(monitor);
    const auto events = static_cast<std::uint32_t>(sd_login_monitor_get_events(monitor));
    sessions_changed_ = loop.watch(sd_login_monitor_get_fd(monitor), events, [this](std::uint32_t) {
        sd_login_monitor_flush(monitor_.get());
        for (const auto& [name, agent] : agents_) {
            if (on_arrived && is_in_active_session(agent.caller))
                on_arrived(agent.caller.uid);
        }
    });
}

Result<void> BusAgents::add(const Caller& caller, const std::string& path)
{
    const auto same_user = [&](const auto& entry) { return entry.second.caller.uid == caller.uid; };
    const bool replaces = agents_.contains(caller.bus_name);
    if (!replaces && std::ranges::count_if(agents_, same_user) >= std::ptrdiff_t{per_user_max})
        return Error{ErrorCode::TooMany, "too many agents are registered"};
    agents_[caller.bus_name] = {caller,
                                sdbus::createProxy(connection_, sdbus::ServiceName(caller.bus_name), sdbus::ObjectPath(path))};
    if (on_arrived && is_in_active_session(caller))
        on_arrived(caller.uid);
    return {};
}

void BusAgents::forget(const std::string& bus_name)
{
    const auto agent = agents_.extract(bus_name);
    if (!agent.empty() && on_left)
        on_left(agent.mapped().caller.uid);
}

bool BusAgents::present(uid_t owner)
{
    return std::ranges::any_of(agents_, [&](const auto& entry) {
        return entry.second.caller.uid == owner && is_in_active_session(entry.second.caller);
    });
}

void BusAgents::ask(const Question& question)
{
    const Dictionary dictionary = to_bus(question);
    for (const auto& [name, agent] : agents_) {
        if (agent.caller.uid == question.owner && is_in_active_session(agent.caller))
            send(*agent.proxy, contract::agent::ask, dictionary);
    }
}

void BusAgents::withdraw(uid_t owner, QuestionId id, std::string_view reason)
{
    for (const auto& [name, agent] : agents_) {
        if (agent.caller.uid == owner)
            send(*agent.proxy, contract::agent::withdraw, id, std::string(reason));
    }
}

} // namespace tacet
