// SPDX-License-Identifier: GPL-3.0-or-later
// A private session as people see it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "util/clock.h"

namespace tacet {

using SessionId = std::uint64_t;

enum class SessionState { Starting, Running, Waiting, Ending };

// Where a session keeps what it writes.
enum class StoreChoice { Auto, Memory, Disk };

struct PrivateSession {
    SessionId id = 0;
    uid_t owner = 0;
    std::string application;
    UnixTime since = 0;
    SessionState state = SessionState::Starting;
    bool network = true;
    bool audio = false;
    bool on_disk = false;
    bool is_full = false; // its store: programs cannot write any more
    // Bytes.
    std::uint64_t store = 0;
    std::uint64_t memory = 0;
    std::uint64_t swap = 0;
};

enum class ChangeType { Created, Changed, Deleted };
enum class FileKind { File, Directory, Link, Other };

// What a session did to one name.
struct SessionChange {
    // Of what there is now; of what there was, when it is deleted.
    std::string path;
    ChangeType change = ChangeType::Created;
    FileKind kind = FileKind::File;
    std::uint64_t size = 0; // bytes
    std::uint32_t mode = 0; // permission bits
    UnixTime modified = 0;

    bool operator==(const SessionChange&) const = default;
};

} // namespace tacet
