// SPDX-License-Identifier: GPL-3.0-or-later
// A packet socket that sees the DNS over UDP of every interface, in both directions, and nothing else.
#pragma once

#include <functional>

#include "common/result.h"
#include "common/unique_fd.h"
#include "names/dns_watch.h"

namespace tacet {

class PacketSocket {
public:
    // Needs CAP_NET_RAW, only here.
    static Result<PacketSocket> open();

    int fd() const { return socket_.get(); }
    // Hands over what is there, at most count packets; their bytes are valid during the call.
    void read(int count, const std::function<void(const SeenPacket&)>& take);

private:
    explicit PacketSocket(UniqueFd socket) : socket_(std::move(socket)) {}

    UniqueFd socket_;
};

} // namespace tacet
