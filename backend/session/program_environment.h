// SPDX-License-Identifier: GPL-3.0-or-later
// The environment of a session's programs.
#pragma once

#include <string>
#include <vector>

#include "common/session_request.h"

namespace tacet {

// XDG_RUNTIME_DIR of the session.
std::string runtime_directory(const SessionRequest& request);

// The key to its nested X server, where the environment says that it is.
Result<void> write_x_authority(const SessionRequest& request);

// NAME=VALUE: the person's, without what leads out of the session, and with what leads to the session's own.
std::vector<std::string> make_environment(const SessionRequest& request);

} // namespace tacet
