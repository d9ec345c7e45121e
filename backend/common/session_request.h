// SPDX-License-Identifier: GPL-3.0-or-later
// The description of a private session, as tacetd hands it to tacet-session.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/clock.h"
#include "common/result.h"
#include "common/session_options.h"

namespace tacet {

struct SessionRequest {
    static constexpr std::size_t text_max = 1U << 20;
    static constexpr std::size_t words_max = 16'384;

    std::uint64_t id = 0;
    uid_t uid = 0;
    gid_t gid = 0;
    std::string user;
    std::string directory; // where the program starts
    std::vector<std::string> command;
    std::vector<std::string> environment; // NAME=VALUE
    bool on_disk = false;                 // where the store is, as the daemon decided
    UnixTime since = 0;
    SessionOptions options;
};

// Strings without NUL, at most text_max in all; else InvalidArgument.
Result<std::string> to_text(const SessionRequest& request);
Result<SessionRequest> parse_request(std::string_view text);

} // namespace tacet
