// SPDX-License-Identifier: GPL-3.0-or-later
// The socket of a session's own session bus.
#pragma once

#include "common/session_request.h"
#include "common/unique_fd.h"

namespace tacet {

// It is there before the bus's daemon: programs that are quicker than that wait in its queue.
Result<UniqueFd> make_bus_socket(const SessionRequest& request);

} // namespace tacet
