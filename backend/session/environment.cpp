// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/environment.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tacet {
namespace {

// What would lead the program to the person's own session, or name it.
bool is_outside(const std::string& variable)
{
    constexpr std::array names{"DBUS_SESSION_BUS_ADDRESS=",
                               "DBUS_SYSTEM_BUS_ADDRESS=",
                               "DISPLAY=",
                               "WAYLAND_DISPLAY=",
                               "XAUTHORITY=",
                               "XDG_RUNTIME_DIR=",
                               "SESSION_MANAGER=",
                               "SSH_AUTH_SOCK=",
                               "GPG_AGENT_INFO=",
                               "XDG_SESSION_ID=",
                               "DESKTOP_STARTUP_ID=",
                               "XDG_ACTIVATION_TOKEN=",
                               "NOTIFY_SOCKET=",
                               "INVOCATION_ID=",
                               "JOURNAL_STREAM=",
                               "AT_SPI_BUS_ADDRESS=",
                               "PULSE_SERVER=",
                               "TACET_SESSION="};
    return std::ranges::any_of(names, [&](const char* name) { return variable.starts_with(name); });
}

} // namespace

std::string runtime_directory(const SessionRequest& request)
{
    return "/run/user/" + std::to_string(request.uid);
}

std::vector<std::string> make_environment(const SessionRequest& request)
{
    std::vector<std::string> environment;
    for (const std::string& variable : request.environment) {
        if (!is_outside(variable))
            environment.push_back(variable);
    }
    const std::string own = runtime_directory(request);
    environment.insert(environment.end(), {"XDG_RUNTIME_DIR=" + own, "DBUS_SESSION_BUS_ADDRESS=unix:path=" + own + "/bus",
                                           "TACET_SESSION=" + std::to_string(request.id)});
    if (!request.display.empty())
        environment.insert(environment.end(), {"DISPLAY=" + request.display, "XAUTHORITY=" + own + "/xauthority"});
    return environment;
}

} // namespace tacet
