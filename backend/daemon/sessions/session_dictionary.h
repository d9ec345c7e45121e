// SPDX-License-Identifier: GPL-3.0-or-later
// Private sessions as dictionaries of the contract.
#pragma once

#include "daemon/bus/dictionary.h"
#include "daemon/sessions/session_service.h"

namespace tacet {

Dictionary to_bus(const PrivateSession& session);
Dictionary to_bus(const SessionChange& change);
Dictionary to_bus(const Box& box);

// Reads all but the files. Unknown options are InvalidArgument.
Result<SessionStart> session_from_bus(const std::vector<std::vector<std::uint8_t>>& command,
                                      const std::vector<std::vector<std::uint8_t>>& environment,
                                      const std::vector<std::uint8_t>& directory, const Dictionary& options);

} // namespace tacet
