// SPDX-License-Identifier: GPL-3.0-or-later
// A private session as people see it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/clock.h"
#include "contract/codes.h"

namespace tacet {

using SessionId = std::uint64_t;

using contract::SessionState;

struct PrivateSession {
    SessionId id = 0;
    uid_t owner = 0;
    std::string application;
    UnixTime since = 0;
    SessionState state = SessionState::Starting;
    bool network = true;
    bool audio = false;
    bool on_disk = false;
    std::string box;      // empty: none
    bool is_full = false; // the store is full, and programs cannot write any more
    // These are in bytes.
    std::uint64_t store = 0;
    std::uint64_t memory = 0;
    std::uint64_t swap = 0;
};

} // namespace tacet
