// SPDX-License-Identifier: GPL-3.0-or-later
#include "util/reopen.h"

#include <fcntl.h>

#include <string>

namespace tacet {

UniqueFd reopen_for_reading(int fd)
{
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    return UniqueFd(open(link.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

} // namespace tacet
