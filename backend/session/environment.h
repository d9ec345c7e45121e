// SPDX-License-Identifier: GPL-3.0-or-later
// The environment of a private session's programs: the person's, without what leads out of it.
#pragma once

#include "session/request.h"

namespace tacet {

std::string runtime_directory(const SessionRequest& request);
// The key to its nested X server, where the environment says that it is.
Result<void> write_x_authority(const SessionRequest& request);
std::vector<std::string> make_environment(const SessionRequest& request);

} // namespace tacet
