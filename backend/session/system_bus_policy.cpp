// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/system_bus_policy.h"

#include <algorithm>
#include <array>
#include <format>

namespace tacet {
namespace {

// Calls by which programs learn about the machine. None takes a text from the session or shows that there is one. So there is
// no journal, no systemd, no notifications, and no inhibitors of login1, whose name and reason everybody sees.
struct Service {
    std::string_view name;
    std::string_view folder; // its object, and the objects below
};

constexpr std::array services{
    Service{"org.freedesktop.hostname1", "/org/freedesktop/hostname1"},
    Service{"org.freedesktop.timedate1", "/org/freedesktop/timedate1"},
    Service{"org.freedesktop.locale1", "/org/freedesktop/locale1"},
    Service{"org.freedesktop.UPower", "/org/freedesktop/UPower"},
    Service{"org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"},
};

// The interfaces whose properties can be read.
constexpr auto interfaces = std::to_array<std::string_view>({
    "org.freedesktop.hostname1",
    "org.freedesktop.timedate1",
    "org.freedesktop.locale1",
    "org.freedesktop.UPower",
    "org.freedesktop.UPower.Device",
    "org.freedesktop.UPower.KbdBacklight",
    "org.freedesktop.NetworkManager",
    "org.freedesktop.NetworkManager.AccessPoint",
    "org.freedesktop.NetworkManager.Connection.Active",
    "org.freedesktop.NetworkManager.DHCP4Config",
    "org.freedesktop.NetworkManager.DHCP6Config",
    "org.freedesktop.NetworkManager.Device",
    "org.freedesktop.NetworkManager.Device.Statistics",
    "org.freedesktop.NetworkManager.Device.Wired",
    "org.freedesktop.NetworkManager.Device.Wireless",
    "org.freedesktop.NetworkManager.DnsManager",
    "org.freedesktop.NetworkManager.IP4Config",
    "org.freedesktop.NetworkManager.IP6Config",
    "org.freedesktop.NetworkManager.Settings",
});

struct Method {
    std::string_view interface;
    std::string_view member;
};

constexpr std::string_view properties = "org.freedesktop.DBus.Properties";
constexpr std::array methods_of_services{
    Method{properties, "Get"},
    Method{properties, "GetAll"},
    Method{"org.freedesktop.DBus.Introspectable", "Introspect"},
    Method{"org.freedesktop.UPower", "EnumerateDevices"},
    Method{"org.freedesktop.UPower", "GetDisplayDevice"},
    Method{"org.freedesktop.NetworkManager", "state"},
};

constexpr std::string_view bus = "org.freedesktop.DBus";
constexpr std::array methods_of_bus{
    Method{bus, "Hello"}, Method{bus, "AddMatch"},  Method{bus, "RemoveMatch"},
    Method{bus, "GetId"}, Method{bus, "ListNames"}, Method{bus, "ListActivatableNames"},
};

struct Lookup {
    std::string_view member;
    BusAnswer otherwise; // the answer for a name that is not visible
};

constexpr std::array lookups{Lookup{"GetNameOwner", BusAnswer::NoOwner}, Lookup{"NameHasOwner", BusAnswer::NotOwned},
                             Lookup{"StartServiceByName", BusAnswer::NoService}};

bool has_method(const auto& methods, const BusCall& call)
{
    return std::ranges::any_of(
        methods, [&](const Method& method) { return method.member == call.member && method.interface == call.interface; });
}

bool has_object(const Service& service, const BusCall& call)
{
    return call.path == service.folder
           || (call.is_named && call.path.starts_with(service.folder) && call.path[service.folder.size()] == '/');
}

bool has_interface(const Service& service, std::string_view interface)
{
    return interface.starts_with(service.name) && std::ranges::find(interfaces, interface) != interfaces.end();
}

const Service* find_service(std::string_view name)
{
    const auto* found = std::ranges::find(services, name, &Service::name);
    return found == services.end() ? nullptr : found;
}

} // namespace

bool is_visible(std::string_view service)
{
    return find_service(service) != nullptr;
}

BusAnswer judge(const BusCall& call)
{
    if (call.destination == bus) {
        const auto* lookup = std::ranges::find(lookups, call.member, &Lookup::member);
        if (lookup != lookups.end() && call.interface == bus)
            return call.argument == bus || is_visible(call.argument) ? BusAnswer::Pass : lookup->otherwise;
        return has_method(methods_of_bus, call) ? BusAnswer::Pass : BusAnswer::Denied;
    }
    const Service* service = find_service(call.destination);
    if (service == nullptr)
        return BusAnswer::NoService;
    const bool asks_well = !asks_for_properties(call) || has_interface(*service, call.argument);
    return has_object(*service, call) && has_method(methods_of_services, call) && asks_well ? BusAnswer::Pass : BusAnswer::Denied;
}

bool is_get(const BusCall& call)
{
    return asks_for_properties(call) && call.member == "Get";
}

bool asks_for_name(const BusCall& call)
{
    return call.destination == bus && std::ranges::find(lookups, call.member, &Lookup::member) != lookups.end();
}

std::vector<std::string> signal_rules()
{
    std::vector<std::string> rules;
    for (const Service& service : services) {
        rules.push_back(std::format("type='signal',sender='{}'", service.name));
        rules.push_back(std::format("type='signal',sender='{}',member='NameOwnerChanged',arg0='{}'", bus, service.name));
    }
    return rules;
}

bool asks_for_properties(const BusCall& call)
{
    return call.interface == properties;
}

} // namespace tacet
