// SPDX-License-Identifier: GPL-3.0-or-later
// Who asks the daemon for something.
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
