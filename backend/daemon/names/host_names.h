// SPDX-License-Identifier: GPL-3.0-or-later
// The names of addresses. They come from /etc/hosts, which is local, immediate and root's own, or else from the resolver's
// answers.
#pragma once

#include <ctime>
#include <map>
#include <set>
#include <string>

#include "daemon/names/learned_names.h"

namespace tacet {

class HostNames {
public:
    explicit HostNames(const Clock& clock, std::string path = "/etc/hosts") : path_(std::move(path)), learned_(clock) {}

    struct Names {
        std::string shown;                // the name to show, or the address if there is none
        std::vector<std::string> learned; // from the network, the last one first; none for an address in /etc/hosts
        bool complete = true;             // false if more names were learned than are kept
    };

    Names names_of(const std::string& address);
    // Tells whether this changes the result of names_of() for the address, apart from the order.
    bool learn(const LearnedName& learned);

private:
    void reload();

    std::string path_;
    timespec loaded_{};
    std::map<std::string, std::string> local_;
    std::set<std::string> local_names_;
    LearnedNames learned_;
};

} // namespace tacet
