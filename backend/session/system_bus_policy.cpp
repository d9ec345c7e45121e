// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/system_bus_policy.h"

#include <algorithm>
#include <array>

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

struct Method {
    std::string_view interface;
    std::string_view member;
};

constexpr std::array methods_of_services{
    Method{"org.freedesktop.DBus.Properties", "Get"},
    Method{"org.freedesktop.DBus.Properties", "GetAll"},
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

bool is_below(std::string_view path, std::string_view folder)
{
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
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
            return call.name == bus || is_visible(call.name) ? BusAnswer::Pass : lookup->otherwise;
        return has_method(methods_of_bus, call) ? BusAnswer::Pass : BusAnswer::Denied;
    }
    const Service* service = find_service(call.destination);
    if (service == nullptr)
        return BusAnswer::NoService;
    return is_below(call.path, service->folder) && has_method(methods_of_services, call) ? BusAnswer::Pass : BusAnswer::Denied;
}

} // namespace tacet
