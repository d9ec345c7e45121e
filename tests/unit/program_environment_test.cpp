// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "session/program_environment.h"

namespace tacet {
namespace {

using testing::Contains;
using testing::Not;
using testing::StartsWith;

SessionRequest make_request(const std::string& display)
{
    SessionRequest request;
    request.id = 7;
    request.uid = 1000;
    request.options.display = display;
    request.environment = {"LANG=de_DE.UTF-8",
                           "DISPLAY=:0",
                           "WAYLAND_DISPLAY=wayland-0",
                           "XAUTHORITY=/home/anna/.Xauthority",
                           "QT_QPA_PLATFORM=wayland",
                           "XDG_RUNTIME_DIR=/run/user/1000",
                           "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket",
                           "SSH_AUTH_SOCK=/run/user/1000/agent",
                           "DISPLAYED=1"};
    return request;
}

TEST(ProgramEnvironment, LeadsToTheSessionsOwn)
{
    const auto environment = make_environment(make_request(":60"));
    EXPECT_THAT(environment, Contains("DISPLAY=:60"));
    EXPECT_THAT(environment, Contains("XAUTHORITY=/run/user/1000/xauthority"));
    EXPECT_THAT(environment, Contains("XDG_SESSION_TYPE=x11"));
    EXPECT_THAT(environment, Contains("DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus"));
    EXPECT_THAT(environment, Contains("APPIMAGE_EXTRACT_AND_RUN=1"));
    EXPECT_THAT(environment, Contains("LANG=de_DE.UTF-8"));
    EXPECT_THAT(environment, Contains("DISPLAYED=1"));
    EXPECT_THAT(environment, Not(Contains("DISPLAY=:0")));
    EXPECT_THAT(environment, Not(Contains("DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket")));
    EXPECT_THAT(environment, Not(Contains(StartsWith("WAYLAND_DISPLAY="))));
    EXPECT_THAT(environment, Not(Contains(StartsWith("QT_QPA_PLATFORM="))));
    EXPECT_THAT(environment, Not(Contains(StartsWith("SSH_AUTH_SOCK="))));
}

TEST(ProgramEnvironment, LeadsToTheAgentThatIsOffered)
{
    SessionRequest request = make_request(":60");
    request.options.ssh_agent = "/run/user/1000/tacet-agent-a/socket";
    const auto environment = make_environment(request);
    EXPECT_THAT(environment, Contains("SSH_AUTH_SOCK=/run/user/1000/ssh-agent"));
    EXPECT_THAT(environment, Not(Contains("SSH_AUTH_SOCK=/run/user/1000/agent")));
}

TEST(ProgramEnvironment, WithoutDisplayNamesNone)
{
    const auto environment = make_environment(make_request(""));
    EXPECT_THAT(environment, Not(Contains(StartsWith("DISPLAY="))));
    EXPECT_THAT(environment, Not(Contains(StartsWith("XAUTHORITY="))));
    EXPECT_THAT(environment, Not(Contains(StartsWith("WAYLAND_DISPLAY="))));
    EXPECT_THAT(environment, Contains("QT_QPA_PLATFORM=wayland"));
}

} // namespace
} // namespace tacet
