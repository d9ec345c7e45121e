// SPDX-License-Identifier: GPL-3.0-or-later
// Asks polkit whether a caller may do what a method does. The contract names the actions.
#pragma once

#include <string_view>

#include "daemon/core/ports.h"

namespace tacet {

namespace contract {
struct Method;
}

// The reach of a call: the caller's own things for a while, the caller's own for good (or weakly bounded), or other people's.
enum class Reach { Own, OwnLasting, Others };

class Gate {
public:
    explicit Gate(Authority& authority) : authority_(authority) {}

    // method is one that changes something. done gets AccessDenied when polkit says no. details tell the person what is asked
    // for.
    void pass(const Caller& caller, const contract::Method& method, Reach reach, std::function<void(Result<void>)> done,
              Details details = {});

private:
    Authority& authority_;
};

} // namespace tacet
