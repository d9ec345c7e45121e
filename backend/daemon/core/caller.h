// SPDX-License-Identifier: GPL-3.0-or-later
// The caller of a method.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace tacet {

struct Caller {
    std::string bus_name;
    uid_t uid = 0;
    pid_t pid = 0;
    std::vector<gid_t> groups;

    bool is_root() const { return uid == 0; }
};

} // namespace tacet
