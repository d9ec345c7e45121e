// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session_bus.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

#include "session/program_environment.h"

namespace tacet {

Result<UniqueFd> make_bus_socket(const SessionRequest& request)
{
    const std::string path = runtime_directory(request) + "/bus";
    UniqueFd bus(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    if (bind(bus.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 || listen(bus.get(), SOMAXCONN) != 0
        || chown(path.c_str(), request.uid, request.gid) != 0)
        return Error{ErrorCode::Failed, std::string("no session bus: ") + std::strerror(errno)};
    return bus;
}

} // namespace tacet
