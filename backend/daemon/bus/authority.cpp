// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/authority.h"

#include <chrono>

namespace tacet {
namespace {

constexpr std::uint32_t allow_user_interaction = 1;
// A person who was asked for a password may be slow; polkit's own dialog is the true limit.
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
    if (open_ >= open_max) {
        done(false);
        return;
    }
    ++open_;
    const Subject subject{"system-bus-name", {{"name", sdbus::Variant(caller.bus_name)}}};
    polkit_->callMethodAsync("CheckAuthorization")
        .onInterface("org.freedesktop.PolicyKit1.Authority")
        .withTimeout(timeout)
        .withArguments(subject, std::string(action), std::map<std::string, std::string>{}, allow_user_interaction, std::string())
        .uponReplyInvoke([this, done = std::move(done)](std::optional<sdbus::Error> failure, const Answer& answer) {
            --open_;
            done(!failure && answer.get<0>());
        });
}

} // namespace tacet
