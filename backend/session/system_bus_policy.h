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
    std::string_view name = {}; // the first argument of a call to the bus about a name
};

// Programs can cope with a missing service, but few can cope with a denied one.
enum class BusAnswer { Pass, Denied, NoService, NoOwner, NotOwned };

BusAnswer judge(const BusCall& call);
// Tells whether private programs see this service.
bool is_visible(std::string_view service);

} // namespace tacet
