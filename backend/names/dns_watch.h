// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs the answers that come in with the questions that this machine was seen to ask, and believes no others.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "common/clock.h"
#include "common/name_message.h"
#include "names/dns_message.h"
#include "names/udp_packet.h"

namespace tacet {

struct SeenPacket {
    std::span<const std::uint8_t> bytes; // from the IP header on
    int interface = 0;
    bool outgoing = false;
};

class DnsWatch {
public:
    static constexpr std::size_t questions_max = 512;
    // Longer than a resolver waits before it asks again.
    static constexpr auto patience = std::chrono::seconds(10);

    // is_resolver: whether a server is one that this machine is set up to ask. Anybody may ask one of his own.
    DnsWatch(const Clock& clock, std::function<bool(const std::string& address)> is_resolver)
        : clock_(clock), is_resolver_(std::move(is_resolver))
    {
    }

    // The names that the packet teaches; mostly none.
    std::vector<LearnedName> take(const SeenPacket& packet);

private:
    struct Asked {
        int interface = 0;
        Endpoint asker;
        Endpoint server;
        DnsQuestion question;
        BootTime until{};
    };

    void remember(const SeenPacket& packet, const UdpPacket& datagram);
    std::vector<LearnedName> believe(const SeenPacket& packet, const UdpPacket& datagram);

    const Clock& clock_;
    std::function<bool(const std::string&)> is_resolver_;
    std::deque<Asked> asked_; // in the order of their ends
};

} // namespace tacet
