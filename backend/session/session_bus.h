// SPDX-License-Identifier: GPL-3.0-or-later
// The socket of a session's own session bus.
#pragma once

#include "common/session_request.h"
#include "common/unique_fd.h"

namespace tacet {

// Makes the socket before the bus's daemon runs. Programs that are quicker than the daemon wait in its queue.
Result<UniqueFd> make_bus_socket(const SessionRequest& request);

} // namespace tacet
