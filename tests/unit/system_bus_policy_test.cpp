// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/system_bus_policy.h"

#include <gtest/gtest.h>

namespace tacet {
namespace {

constexpr std::string_view properties = "org.freedesktop.DBus.Properties";
constexpr std::string_view network = "org.freedesktop.NetworkManager";
constexpr std::string_view network_path = "/org/freedesktop/NetworkManager";
constexpr std::string_view device_path = "/org/freedesktop/NetworkManager/Devices/1";

TEST(SystemBusPolicy, ReadsTheMachine)
{
    EXPECT_EQ(BusAnswer::Pass, judge({network, network_path, properties, "GetAll", network}));
    EXPECT_EQ(BusAnswer::Pass, judge({network, device_path, properties, "Get", "org.freedesktop.NetworkManager.Device", true}));
    EXPECT_EQ(BusAnswer::Pass, judge({"org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello"}));
}

TEST(SystemBusPolicy, SetsNothing)
{
    EXPECT_EQ(BusAnswer::Denied, judge({network, network_path, properties, "Set"}));
    EXPECT_EQ(BusAnswer::Denied, judge({network, network_path, "org.freedesktop.NetworkManager", "Enable"}));
    EXPECT_EQ(BusAnswer::Denied,
              judge({"org.freedesktop.hostname1", "/org/freedesktop/hostname1", "org.freedesktop.hostname1", "SetHostname"}));
}

TEST(SystemBusPolicy, NoOtherService)
{
    for (const std::string_view service : {"org.freedesktop.login1", "org.freedesktop.systemd1", "org.tacet.Tacet1", ":1.7", ""})
        EXPECT_EQ(BusAnswer::NoService, judge({service, "/", properties, "Get"})) << service;
}

TEST(SystemBusPolicy, NoObjectElsewhere)
{
    EXPECT_EQ(BusAnswer::Denied, judge({network, "/org/freedesktop/NetworkManagerX", properties, "Get", network, true}));
    EXPECT_EQ(BusAnswer::Denied, judge({network, "/", properties, "Get", network, true}));
}

TEST(SystemBusPolicy, TakesNoTextOfTheProgramsChoice)
{
    EXPECT_EQ(BusAnswer::Denied, judge({network, device_path, properties, "Get", network, false}));
    for (const std::string_view text :
         {"org.freedesktop.NetworkManager.Text", "org.freedesktop.NetworkManager.", "org.freedesktop.UPower", ""})
        EXPECT_EQ(BusAnswer::Denied, judge({network, network_path, properties, "GetAll", text})) << text;
    EXPECT_TRUE(is_get({network, network_path, properties, "Get", network}));
    EXPECT_FALSE(is_get({network, network_path, properties, "GetAll", network}));
    EXPECT_FALSE(is_get({network, network_path, network, "Get"}));
    EXPECT_FALSE(asks_for_properties({network, network_path, "org.freedesktop.DBus.Introspectable", "Introspect", "text"}));
}

TEST(SystemBusPolicy, OnlyLookupsHaveAnArgumentForTheBus)
{
    constexpr std::string_view bus = "org.freedesktop.DBus";
    EXPECT_TRUE(asks_for_name({bus, "/", bus, "NameHasOwner", network}));
    EXPECT_TRUE(asks_for_name({bus, "/", bus, "StartServiceByName", network}));
    for (const std::string_view member : {"Hello", "ListNames", "AddMatch", "GetId"})
        EXPECT_FALSE(asks_for_name({bus, "/", bus, member, "text"})) << member;
    EXPECT_FALSE(asks_for_name({network, "/", bus, "NameHasOwner", "text"}));
}

TEST(SystemBusPolicy, InterfaceMustBeNamed)
{
    EXPECT_EQ(BusAnswer::Denied, judge({network, network_path, "", "Get"}));
    EXPECT_EQ(BusAnswer::Denied, judge({"org.freedesktop.DBus", "/", "", "RequestName"}));
}

TEST(SystemBusPolicy, OwnsNoNameAndStartsNothingElse)
{
    constexpr std::string_view bus = "org.freedesktop.DBus";
    EXPECT_EQ(BusAnswer::Denied, judge({bus, "/", bus, "RequestName"}));
    EXPECT_EQ(BusAnswer::Denied, judge({bus, "/", "org.freedesktop.DBus.Monitoring", "BecomeMonitor"}));
    EXPECT_EQ(BusAnswer::Pass, judge({bus, "/", bus, "StartServiceByName", "org.freedesktop.hostname1"}));
    EXPECT_EQ(BusAnswer::NoService, judge({bus, "/", bus, "StartServiceByName", "org.freedesktop.PackageKit"}));
    EXPECT_EQ(BusAnswer::NoService, judge({bus, "/", bus, "StartServiceByName"}));
}

TEST(SystemBusPolicy, OtherNamesAreNotThere)
{
    constexpr std::string_view bus = "org.freedesktop.DBus";
    EXPECT_EQ(BusAnswer::Pass, judge({bus, "/", bus, "GetNameOwner", network}));
    EXPECT_EQ(BusAnswer::NoOwner, judge({bus, "/", bus, "GetNameOwner", "org.freedesktop.login1"}));
    EXPECT_EQ(BusAnswer::NotOwned, judge({bus, "/", bus, "NameHasOwner", "org.freedesktop.Accounts"}));
    EXPECT_EQ(BusAnswer::Denied, judge({bus, "/", "", "GetNameOwner", network}));
}

} // namespace
} // namespace tacet
