// SPDX-License-Identifier: GPL-3.0-or-later
// The DNS servers that this machine is set up to ask, from resolv.conf and what the usual local resolvers write beside it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.h"

namespace tacet {

// The addresses of the lines "nameserver ADDRESS", as inet_ntop spells them.
std::set<std::string> parse_resolvers(std::string_view text);

class ResolverList {
public:
    ResolverList(const Clock& clock, std::vector<std::string> paths) : clock_(clock), paths_(std::move(paths)) {}

    // Reads the files again when a second has passed.
    bool contains(const std::string& address);

private:
    const Clock& clock_;
    std::vector<std::string> paths_;
    std::set<std::string> addresses_;
    BootTime read_again_{};
};

} // namespace tacet
