// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/program_environment.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "common/unique_fd.h"
#include "common/x_authority.h"

namespace tacet {
namespace {

// These variables make a toolkit look for a Wayland display, or for anything but the session's X server.
bool is_about_displays(const std::string& variable)
{
    constexpr std::array names{"XDG_SESSION_TYPE=", "QT_QPA_PLATFORM=",    "GDK_BACKEND=",   "CLUTTER_BACKEND=",
                               "SDL_VIDEODRIVER=",  "MOZ_ENABLE_WAYLAND=", "OZONE_PLATFORM="};
    return std::ranges::any_of(names, [&](const char* name) { return variable.starts_with(name); });
}

// These variables would lead the program to the person's own session, or name it.
bool is_outside(const std::string& variable)
{
    constexpr std::array names{"DBUS_SESSION_BUS_ADDRESS=",
                               "DBUS_SYSTEM_BUS_ADDRESS=",
                               "DISPLAY=",
                               "WAYLAND_DISPLAY=",
                               "WAYLAND_SOCKET=",
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

// The library that clears what programs free goes before all others that are preloaded.
void preload_heap(std::vector<std::string>& environment)
{
    constexpr std::string_view name = "LD_PRELOAD=";
    static const std::string library = TACET_PRIVATE_LIBDIR "/libtacet-heap.so";
    if (access(library.c_str(), R_OK) != 0)
        return;
    const auto found = std::ranges::find_if(environment, [&](const auto& variable) { return variable.starts_with(name); });
    if (found != environment.end())
        found->insert(name.size(), library + ":");
    else
        environment.push_back(std::string(name) + library);
}

} // namespace

std::string runtime_directory(const SessionRequest& request)
{
    return "/run/user/" + std::to_string(request.uid);
}

std::string ssh_agent_socket(const SessionRequest& request)
{
    return runtime_directory(request) + "/ssh-agent";
}

Result<void> write_x_authority(const SessionRequest& request)
{
    if (request.options.display.empty())
        return {};
    const std::string path = runtime_directory(request) + "/xauthority";
    const std::string entry = x_authority(parse_cookie(request.options.cookie));
    const UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file || write(file.get(), entry.data(), entry.size()) != static_cast<ssize_t>(entry.size())
        || fchown(file.get(), request.uid, request.gid) != 0)
        return Error{ErrorCode::Failed, std::string("no X authority file: ") + std::strerror(errno)};
    return {};
}

std::vector<std::string> make_environment(const SessionRequest& request)
{
    std::vector<std::string> environment;
    for (const std::string& variable : request.environment) {
        if (!is_outside(variable) && (request.options.display.empty() || !is_about_displays(variable)))
            environment.push_back(variable);
    }
    const std::string own = runtime_directory(request);
    const std::string bus = "unix:path=" + own + "/bus";
    environment.insert(environment.end(), {"XDG_RUNTIME_DIR=" + own, "DBUS_SESSION_BUS_ADDRESS=" + bus,
                                           "TACET_SESSION=" + std::to_string(request.id),
                                           // There is no FUSE. AppImages unpack themselves then.
                                           "APPIMAGE_EXTRACT_AND_RUN=1"});
    if (!request.options.ssh_agent.empty())
        environment.push_back("SSH_AUTH_SOCK=" + ssh_agent_socket(request));
    if (!request.options.display.empty())
        environment.insert(environment.end(),
                           {"DISPLAY=" + request.options.display, "XAUTHORITY=" + own + "/xauthority", "XDG_SESSION_TYPE=x11"});
    preload_heap(environment);
    return environment;
}

} // namespace tacet
