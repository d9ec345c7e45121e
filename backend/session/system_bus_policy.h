// SPDX-License-Identifier: GPL-3.0-or-later
// The calls to the system bus that a private program may make.
#pragma once

#include <string_view>

namespace tacet {

struct BusCall {
    std::string_view destination;
    std::string_view path;
    std::string_view interface;
    std::string_view member;
    std::string_view name = {}; // its first argument, where it is a call to the bus about a name
};

// Programs bear that a service is not there; few bear that they are denied one.
enum class BusAnswer { Pass, Denied, NoService, NoOwner, NotOwned };

BusAnswer judge(const BusCall& call);
// Whether private programs see this service.
bool is_visible(std::string_view service);

} // namespace tacet
