// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/callers.h"

namespace tacet {
namespace {

using Credentials = std::map<std::string, sdbus::Variant>;

Result<Caller> caller_of(const std::string& bus_name, const Credentials& credentials)
{
    const auto uid = credentials.find("UnixUserID");
    const auto pid = credentials.find("ProcessID");
    if (uid == credentials.end() || pid == credentials.end())
        return Error{ErrorCode::AccessDenied, "the bus does not know the caller"};
    Caller caller{bus_name, uid->second.get<std::uint32_t>(), static_cast<pid_t>(pid->second.get<std::uint32_t>()), {}};
    if (const auto groups = credentials.find("UnixGroupIDs"); groups != credentials.end())
        caller.groups = groups->second.get<std::vector<std::uint32_t>>();
    return caller;
}

} // namespace

Callers::Callers(sdbus::IConnection& connection)
    : bus_(sdbus::createProxy(connection, sdbus::ServiceName("org.freedesktop.DBus"), sdbus::ObjectPath("/org/freedesktop/DBus")))
{
}

const Caller* Callers::known(const std::string& bus_name) const
{
    const auto found = known_.find(bus_name);
    return found == known_.end() ? nullptr : &found->second;
}

void Callers::find(const std::string& bus_name, Reply<Caller> reply)
{
    if (const Caller* caller = known(bus_name); caller != nullptr) {
        reply(*caller);
        return;
    }
    bus_->callMethodAsync("GetConnectionCredentials")
        .onInterface("org.freedesktop.DBus")
        .withArguments(bus_name)
        .uponReplyInvoke([this, bus_name, reply](std::optional<sdbus::Error> failure, const Credentials& credentials) {
            if (failure) {
                reply(Error{ErrorCode::AccessDenied, "the caller left the bus"});
                return;
            }
            const Result<Caller> caller = caller_of(bus_name, credentials);
            if (caller && known_.size() < known_max)
                known_[bus_name] = *caller;
            reply(caller);
        });
}

} // namespace tacet
