// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/authority.h"

#include <chrono>
#include <filesystem>

#include "common/text.h"

namespace tacet {
namespace {

constexpr std::uint32_t allow_user_interaction = 1;
// A person who was asked for a password may be slow. polkit's own dialog is the true limit.
constexpr auto timeout = std::chrono::minutes(10);

using Subject = sdbus::Struct<std::string, std::map<std::string, sdbus::Variant>>;
using Answer = sdbus::Struct<bool, bool, std::map<std::string, std::string>>;

// Returns the program that asks, as the kernel names its file. Reading the link never waits.
std::string program_of(pid_t pid)
{
    std::error_code failure;
    return std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", failure).string();
}

} // namespace

PolkitAuthority::PolkitAuthority(sdbus::IConnection& connection, Accounts& accounts)
    : accounts_(accounts),
      polkit_(sdbus::createProxy(connection, sdbus::ServiceName("org.freedesktop.PolicyKit1"),
                                 sdbus::ObjectPath("/org/freedesktop/PolicyKit1/Authority")))
{
}

void PolkitAuthority::check(const Caller& caller, std::string_view action, Details details, std::function<void(bool)> done)
{
    if (caller.is_root()) {
        done(true);
        return;
    }
    auto charge = accounts_.charge(caller.uid, Resource::Dialogs);
    if (!charge) {
        done(false);
        return;
    }
    details["caller"] = program_of(caller.pid);
    for (auto& [key, text] : details)
        text = to_utf8(text);
    const std::uint64_t id = ++last_id_;
    open_[id] = {caller.bus_name, std::move(*charge)};
    const Subject subject{"system-bus-name", {{"name", sdbus::Variant(caller.bus_name)}}};
    polkit_->callMethodAsync("CheckAuthorization")
        .onInterface("org.freedesktop.PolicyKit1.Authority")
        .withTimeout(timeout)
        .withArguments(subject, std::string(action), details, allow_user_interaction, std::to_string(id))
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
