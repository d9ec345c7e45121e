// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/socket_address.h"

#include <sys/socket.h>

namespace tacet {

Result<sockaddr_un> socket_address(const std::string& path)
{
    sockaddr_un address{};
    if (path.size() >= sizeof(address.sun_path))
        return Error{ErrorCode::InvalidArgument, "the path of a socket is too long: " + path};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, path.size());
    return address;
}

} // namespace tacet
