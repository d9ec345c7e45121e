// SPDX-License-Identifier: GPL-3.0-or-later
#include "names/udp_packet.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <array>

namespace tacet {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t ip4_header_min = 20;
constexpr std::size_t ip6_header = 40;
constexpr std::size_t udp_header = 8;
constexpr unsigned fragment_bits = 0x3fff; // more fragments, offset

std::uint16_t number_at(Bytes bytes, std::size_t offset)
{
    return static_cast<std::uint16_t>(bytes[offset] << 8 | bytes[offset + 1]);
}

std::string address_at(int family, Bytes bytes, std::size_t offset)
{
    std::array<char, INET6_ADDRSTRLEN> text{};
    inet_ntop(family, bytes.data() + offset, text.data(), text.size());
    return text.data();
}

std::optional<UdpPacket> parse_datagram(Bytes datagram)
{
    if (datagram.size() < udp_header)
        return std::nullopt;
    const std::size_t length = number_at(datagram, 4);
    if (length < udp_header || length > datagram.size())
        return std::nullopt;
    UdpPacket packet;
    packet.source.port = number_at(datagram, 0);
    packet.destination.port = number_at(datagram, 2);
    packet.payload = datagram.subspan(udp_header, length - udp_header);
    return packet;
}

std::optional<UdpPacket> parse_ip4(Bytes bytes)
{
    if (bytes.size() < ip4_header_min)
        return std::nullopt;
    const std::size_t header = (bytes[0] & 0xfU) * 4;
    const std::size_t total = number_at(bytes, 2);
    if (header < ip4_header_min || total < header || total > bytes.size() || bytes[9] != IPPROTO_UDP
        || (number_at(bytes, 6) & fragment_bits) != 0)
        return std::nullopt;
    auto packet = parse_datagram(bytes.subspan(header, total - header));
    if (packet) {
        packet->source.address = address_at(AF_INET, bytes, 12);
        packet->destination.address = address_at(AF_INET, bytes, 16);
    }
    return packet;
}

std::optional<UdpPacket> parse_ip6(Bytes bytes)
{
    if (bytes.size() < ip6_header || bytes[6] != IPPROTO_UDP)
        return std::nullopt;
    const std::size_t length = number_at(bytes, 4);
    if (length > bytes.size() - ip6_header)
        return std::nullopt;
    auto packet = parse_datagram(bytes.subspan(ip6_header, length));
    if (packet) {
        packet->source.address = address_at(AF_INET6, bytes, 8);
        packet->destination.address = address_at(AF_INET6, bytes, 24);
    }
    return packet;
}

} // namespace

std::optional<UdpPacket> parse_udp(Bytes bytes)
{
    if (bytes.empty())
        return std::nullopt;
    switch (bytes[0] >> 4) {
    case 4:
        return parse_ip4(bytes);
    case 6:
        return parse_ip6(bytes);
    default:
        return std::nullopt;
    }
}

} // namespace tacet
