// SPDX-License-Identifier: GPL-3.0-or-later
// Which polkit action guards which method of the contract. Every method that changes something is here.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "daemon/core/ports.h"

namespace tacet {

// What a call touches: the caller's own for a while, the caller's own for good (or weakly bounded), or other people's.
enum class Reach { Own, OwnLasting, Others };

struct Permission {
    std::string_view method;
    // For Own, OwnLasting, Others. Empty: anybody may.
    std::array<std::string_view, 3> actions;
};

std::span<const Permission> permissions();

class Gate {
public:
    explicit Gate(Authority& authority) : authority_(authority) {}

    // method: "Interface.Method" of the table. done gets AccessDenied when polkit says no.
    void pass(const Caller& caller, std::string_view method, Reach reach, std::function<void(Result<void>)> done);

private:
    Authority& authority_;
};

} // namespace tacet
