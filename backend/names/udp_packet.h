// SPDX-License-Identifier: GPL-3.0-or-later
// An IP packet with a UDP datagram in it, as a packet socket gives it: from the IP header on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace tacet {

struct Endpoint {
    std::string address; // as inet_ntop spells it
    std::uint16_t port = 0;
    bool operator==(const Endpoint&) const = default;
};

struct UdpPacket {
    Endpoint source;
    Endpoint destination;
    std::span<const std::uint8_t> payload; // of the bytes that were given
};

// Nothing for what is not a whole UDP datagram: cut short, a fragment, behind IPv6 extension headers.
std::optional<UdpPacket> parse_udp(std::span<const std::uint8_t> bytes);

} // namespace tacet
