// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/system_bus.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "session/confinement.h"

namespace tacet {
namespace {

constexpr const char* program = "/usr/bin/xdg-dbus-proxy";
constexpr int patience_ms = 5000;

// What programs need to know of the machine. Nothing that takes a text from the session or shows that there is one: no journal,
// no systemd, no notifications, no inhibitors of login1, which have a name and a reason that everybody sees.
constexpr std::array rules{
    "--call=org.freedesktop.hostname1=org.freedesktop.DBus.Properties.Get@/org/freedesktop/hostname1",
    "--call=org.freedesktop.hostname1=org.freedesktop.DBus.Properties.GetAll@/org/freedesktop/hostname1",
    "--call=org.freedesktop.timedate1=org.freedesktop.DBus.Properties.Get@/org/freedesktop/timedate1",
    "--call=org.freedesktop.timedate1=org.freedesktop.DBus.Properties.GetAll@/org/freedesktop/timedate1",
    "--call=org.freedesktop.locale1=org.freedesktop.DBus.Properties.Get@/org/freedesktop/locale1",
    "--call=org.freedesktop.locale1=org.freedesktop.DBus.Properties.GetAll@/org/freedesktop/locale1",
    "--call=org.freedesktop.UPower=org.freedesktop.DBus.Properties.Get@/org/freedesktop/UPower/*",
    "--call=org.freedesktop.UPower=org.freedesktop.DBus.Properties.GetAll@/org/freedesktop/UPower/*",
    "--call=org.freedesktop.UPower=org.freedesktop.UPower.EnumerateDevices@/org/freedesktop/UPower",
    "--call=org.freedesktop.UPower=org.freedesktop.UPower.GetDisplayDevice@/org/freedesktop/UPower",
    "--broadcast=org.freedesktop.UPower=org.freedesktop.DBus.Properties.PropertiesChanged@/org/freedesktop/UPower/*",
    "--call=org.freedesktop.NetworkManager=org.freedesktop.DBus.Properties.Get@/org/freedesktop/NetworkManager",
    "--call=org.freedesktop.NetworkManager=org.freedesktop.NetworkManager.state@/org/freedesktop/NetworkManager",
    "--broadcast=org.freedesktop.NetworkManager=org.freedesktop.NetworkManager.StateChanged@/org/freedesktop/NetworkManager",
};

[[noreturn]] void become_filter(const SessionRequest& request, const UniqueFd& group, const std::string& folder, int ready)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    const bool apart = write(group.get(), "0", 1) == 1 && setsid() >= 0 && dup2(nothing, STDIN_FILENO) >= 0
                       && dup2(nothing, STDOUT_FILENO) >= 0 && dup2(nothing, STDERR_FILENO) >= 0;
    // It is named from where we are: the folders above are root's alone.
    if (!apart || chdir(folder.c_str()) != 0 || !confine_program(request) || fcntl(ready, F_SETFD, 0) != 0)
        _exit(EXIT_FAILURE);
    // Taken away when the identity changed.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::string ready_option = "--fd=" + std::to_string(ready);
    std::vector<const char*> words{program, ready_option.c_str(), "unix:path=/run/dbus/system_bus_socket", "socket", "--filter"};
    words.insert(words.end(), rules.begin(), rules.end());
    words.push_back(nullptr);
    std::array<char*, 1> environment{};
    execve(program, const_cast<char* const*>(words.data()), environment.data());
    _exit(EXIT_FAILURE);
}

} // namespace

std::string system_bus_folder(const SessionRequest& request)
{
    return "/run/tacet/bus-" + std::to_string(request.id);
}

UniqueFd start_system_bus(const SessionRequest& request, const UniqueFd& group)
{
    const std::string folder = system_bus_folder(request);
    std::array<int, 2> ends{-1, -1};
    if (access(program, X_OK) != 0 || (mkdir("/run/tacet", 0700) != 0 && errno != EEXIST)
        || (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) || chown(folder.c_str(), request.uid, request.gid) != 0
        || pipe2(ends.data(), O_CLOEXEC) != 0)
        return {};
    UniqueFd ours(ends[0]);
    UniqueFd far(ends[1]);
    const pid_t filter = fork();
    if (filter == 0)
        become_filter(request, group, folder, far.get());
    far = UniqueFd();
    pollfd ready{ours.get(), POLLIN, 0};
    char sign = 0;
    const bool runs = filter > 0 && poll(&ready, 1, patience_ms) == 1 && read(ours.get(), &sign, 1) == 1;
    if (!runs) {
        unlink((folder + "/socket").c_str());
        rmdir(folder.c_str());
    }
    return runs ? std::move(ours) : UniqueFd();
}

} // namespace tacet
