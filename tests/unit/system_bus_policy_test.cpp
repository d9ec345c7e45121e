// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/system_bus_policy.h"

#include <gtest/gtest.h>

namespace tacet {
namespace {

constexpr std::string_view properties = "org.freedesktop.DBus.Properties";
constexpr std::string_view network = "org.freedesktop.NetworkManager";
constexpr std::string_view network_path = "/org/freedesktop/NetworkManager";

TEST(SystemBusPolicy, ReadsTheMachine)
{
    EXPECT_TRUE(is_allowed({network, network_path, properties, "GetAll"}));
    EXPECT_TRUE(is_allowed({network, "/org/freedesktop/NetworkManager/Devices/1", properties, "Get"}));
    EXPECT_TRUE(is_allowed({"org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello"}));
}

TEST(SystemBusPolicy, SetsNothing)
{
    EXPECT_FALSE(is_allowed({network, network_path, properties, "Set"}));
    EXPECT_FALSE(is_allowed({network, network_path, "org.freedesktop.NetworkManager", "Enable"}));
    EXPECT_FALSE(
        is_allowed({"org.freedesktop.hostname1", "/org/freedesktop/hostname1", "org.freedesktop.hostname1", "SetHostname"}));
}

TEST(SystemBusPolicy, NoOtherService)
{
    for (const std::string_view service : {"org.freedesktop.login1", "org.freedesktop.systemd1", "org.tacet.Tacet1", ":1.7", ""})
        EXPECT_FALSE(is_allowed({service, "/", properties, "Get"})) << service;
}

TEST(SystemBusPolicy, NoObjectElsewhere)
{
    EXPECT_FALSE(is_allowed({network, "/org/freedesktop/NetworkManagerX", properties, "Get"}));
    EXPECT_FALSE(is_allowed({network, "/", properties, "Get"}));
}

TEST(SystemBusPolicy, InterfaceMustBeNamed)
{
    EXPECT_FALSE(is_allowed({network, network_path, "", "Get"}));
    EXPECT_FALSE(is_allowed({"org.freedesktop.DBus", "/", "", "RequestName"}));
}

TEST(SystemBusPolicy, OwnsNoNameAndStartsNothingElse)
{
    constexpr std::string_view bus = "org.freedesktop.DBus";
    EXPECT_FALSE(is_allowed({bus, "/", bus, "RequestName"}));
    EXPECT_FALSE(is_allowed({bus, "/", "org.freedesktop.DBus.Monitoring", "BecomeMonitor"}));
    EXPECT_TRUE(is_allowed({bus, "/", bus, "StartServiceByName", "org.freedesktop.hostname1"}));
    EXPECT_FALSE(is_allowed({bus, "/", bus, "StartServiceByName", "org.freedesktop.PackageKit"}));
    EXPECT_FALSE(is_allowed({bus, "/", bus, "StartServiceByName"}));
}

} // namespace
} // namespace tacet
