// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/authority.h"

#include <algorithm>
#include <chrono>

namespace tacet {
namespace {

constexpr std::uint32_t allow_user_interaction = 1;
// A person who was asked for a password may be slow. polkit's own dialog is the true limit.
constexpr auto timeout = std::chrono::minutes(10);

using Subject = sdbus::Struct<std::string, std::map<std::string, sdbus::Variant>>;
using Answer = sdbus::Struct<bool, bool, std::map<std::string, std::string>>;

} // namespace

PolkitAuthority::PolkitAuthority(sdbus::IConnection& connection)
    : polkit_(sdbus::createProxy(connection, sdbus::ServiceName("org.freedesktop.PolicyKit1"),
                                 sdbus::ObjectPath("/org/freedesktop/PolicyKit1/Authority")))
{
}

void PolkitAuthority::check(const Caller& caller, std::string_view action, std::function<void(bool)> done)
{
    if (caller.is_root()) {
        done(true);
        return;
    }
    const auto of_user = std::ranges::count_if(open_, [&](const auto& entry) { return entry.second.user == caller.uid; });
    if (open_.size() >= open_max || static_cast<std::size_t>(of_user) >= open_max_of_user) {
        done(false);
        return;
    }
    const std::uint64_t id = ++last_id_;
    open_[id] = {caller.uid, caller.bus_name};
    const Subject subject{"system-bus-name", {{"name", sdbus::Variant(caller.bus_name)}}};
    polkit_->callMethodAsync("CheckAuthorization")
        .onInterface("org.freedesktop.PolicyKit1.Authority")
        .withTimeout(timeout)
        .withArguments(subject, std::string(action), std::map<std::string, std::string>{}, allow_user_interaction,
                       std::to_string(id))
        .uponReplyInvoke([this, id, done = std::move(done)](std::optional<sdbus::Error> failure, const Answer& answer) {
            open_.erase(id);
            done(!failure && answer.get<0>());
        });
}

// The open check then fails, as it does when the person cancels the dialog.
void PolkitAuthority::forget(const std::string& bus_name)
{
    for (const auto& [id, open] : open_)
        if (open.bus_name == bus_name)
            polkit_->callMethodAsync("CancelCheckAuthorization")
                .onInterface("org.freedesktop.PolicyKit1.Authority")
                .withArguments(std::to_string(id))
                .uponReplyInvoke([](std::optional<sdbus::Error>) {});
}

} // namespace tacet
