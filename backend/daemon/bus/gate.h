// SPDX-License-Identifier: GPL-3.0-or-later
// Asks polkit whether a caller may do what a method does. The rows of the table stand beside the services.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "daemon/core/ports.h"

namespace tacet {

// What a call touches: the caller's own for a while, the caller's own for good (or weakly bounded), or other people's.
enum class Reach { Own, OwnLasting, Others };

namespace action {
inline constexpr std::string_view label_remove = "org.tacet.tacet1.label-remove";
inline constexpr std::string_view label_others = "org.tacet.tacet1.label-others";
inline constexpr std::string_view answer = "org.tacet.tacet1.answer";
inline constexpr std::string_view rule = "org.tacet.tacet1.rule";
inline constexpr std::string_view rule_others = "org.tacet.tacet1.rule-others";
inline constexpr std::string_view pause = "org.tacet.tacet1.pause";
inline constexpr std::string_view resume = "org.tacet.tacet1.resume";
inline constexpr std::string_view session = "org.tacet.tacet1.session";
} // namespace action

struct Permission {
    std::string_view method;
    // For Own, OwnLasting, Others. Empty: anybody may.
    std::array<std::string_view, 3> actions;
};

class Gate {
public:
    // permissions: one row for every method that changes something.
    Gate(Authority& authority, std::vector<Permission> permissions)
        : authority_(authority), permissions_(std::move(permissions))
    {
    }

    // method: "Interface.Method" of the table. done gets AccessDenied when polkit says no.
    void pass(const Caller& caller, std::string_view method, Reach reach, std::function<void(Result<void>)> done);

private:
    std::string_view action_for(std::string_view method, Reach reach) const;

    Authority& authority_;
    std::vector<Permission> permissions_;
};

} // namespace tacet
