// SPDX-License-Identifier: GPL-3.0-or-later
// The environment of a session's programs.
#pragma once

#include <string>
#include <vector>

#include "common/session_request.h"

namespace tacet {

// XDG_RUNTIME_DIR of the session.
std::string runtime_directory(const SessionRequest& request);
// Where the session's programs find the SSH agent, if they have one.
std::string ssh_agent_socket(const SessionRequest& request);

// Writes the key of the nested X server to the file that the environment names.
Result<void> write_x_authority(const SessionRequest& request);

// Returns NAME=VALUE texts: the person's variables, without those that lead out of the session, and with those that lead to
// the session's own services.
std::vector<std::string> make_environment(const SessionRequest& request);

} // namespace tacet
