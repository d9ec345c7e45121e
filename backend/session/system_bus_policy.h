// SPDX-License-Identifier: GPL-3.0-or-later
// The calls to the system bus that a private program may make.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacet {

struct BusCall {
    std::string_view destination;
    std::string_view path;
    std::string_view interface;
    std::string_view member;
    std::string_view argument = ""; // the first one, if it is text: a name for the bus, an interface for a service
    bool is_named = false;          // a visible service has named the path to the session
};

// Programs can cope with a missing service, but few can cope with a denied one.
enum class BusAnswer { Pass, Denied, NoService, NoOwner, NotOwned };

BusAnswer judge(const BusCall& call);
// Tells whether this is one property's value. It is asked for together with all others, so that its name goes nowhere.
bool is_get(const BusCall& call);
// Tells whether the argument is an interface. It is the only one that goes to a service.
bool asks_for_properties(const BusCall& call);
// Tells whether the argument is the name of a service or of the bus itself. It is the only one that goes to the bus.
bool asks_for_name(const BusCall& call);
// Returns the rules by which the bus sends a program the signals of all services that private programs see.
std::vector<std::string> signal_rules();
// Tells whether private programs see this service.
bool is_visible(std::string_view service);

} // namespace tacet
