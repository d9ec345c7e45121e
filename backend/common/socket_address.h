// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/un.h>

#include <string>

#include "common/result.h"

namespace tacet {

// The address of the UNIX socket at a path. A path of 108 bytes or more is an InvalidArgument.
Result<sockaddr_un> socket_address(const std::string& path);

} // namespace tacet
