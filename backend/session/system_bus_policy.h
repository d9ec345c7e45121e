// SPDX-License-Identifier: GPL-3.0-or-later
// What a private program may ask of the system bus.
#pragma once

#include <string_view>

namespace tacet {

struct BusCall {
    std::string_view destination;
    std::string_view path;
    std::string_view interface;
    std::string_view member;
    std::string_view name = {}; // its first argument, of StartServiceByName
};

bool is_allowed(const BusCall& call);

} // namespace tacet
