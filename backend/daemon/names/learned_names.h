// SPDX-License-Identifier: GPL-3.0-or-later
// The names by which addresses were asked for lately. They are bounded, and the one that was learned longest ago goes first.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/clock.h"
#include "common/name_message.h"

namespace tacet {

class LearnedNames {
public:
    static constexpr std::size_t addresses_max = 4096;
    static constexpr std::size_t names_max = 8; // of one address
    static constexpr auto lifetime_min = std::chrono::hours(1);
    static constexpr auto lifetime_max = std::chrono::hours(24);

    struct Found {
        std::vector<std::string> names; // the one learned last comes first
        bool complete = true;           // false if the address had more names than are kept
    };

    explicit LearnedNames(const Clock& clock) : clock_(clock) {}

    // Tells whether the name is new for the address.
    bool learn(const LearnedName& learned);
    Found find(const std::string& address) const;

private:
    struct Name {
        std::string text;
        BootTime until{};
    };
    struct Address {
        std::string text;
        std::vector<Name> names;
        BootTime crowded_until{}; // a name that would still be valid was dropped
    };
    using Addresses = std::list<Address>;

    Address& renew(const std::string& address);

    const Clock& clock_;
    Addresses addresses_; // the one that learned last comes last
    std::unordered_map<std::string, Addresses::iterator> by_text_;
};

} // namespace tacet
