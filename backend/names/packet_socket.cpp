// SPDX-License-Identifier: GPL-3.0-or-later
#include "names/packet_socket.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tacet {
namespace {

constexpr std::uint32_t snapshot = 4096; // DNS over UDP is announced up to this
constexpr std::uint32_t dns_port = 53;

Error failure(const char* what)
{
    return {ErrorCode::Failed, std::string(what) + ": " + std::strerror(errno)};
}

constexpr sock_filter statement(unsigned code, std::uint32_t value)
{
    return {static_cast<std::uint16_t>(code), 0, 0, value};
}

constexpr sock_filter jump(unsigned code, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false)
{
    return {static_cast<std::uint16_t>(BPF_JMP | code | BPF_K), if_true, if_false, value};
}

// Whole UDP datagrams from or to the port; offsets are from the IP header on, which is where a SOCK_DGRAM socket's filter begins.
std::array<sock_filter, 20> dns_filter()
{
    return {{
        statement(BPF_LD | BPF_H | BPF_ABS, static_cast<std::uint32_t>(SKF_AD_OFF + SKF_AD_PROTOCOL)),
        jump(BPF_JEQ, ETH_P_IP, 0, 9),
        statement(BPF_LD | BPF_B | BPF_ABS, 9),
        jump(BPF_JEQ, IPPROTO_UDP, 0, 15),
        statement(BPF_LD | BPF_H | BPF_ABS, 6),
        jump(BPF_JSET, 0x3fff, 13, 0),
        statement(BPF_LDX | BPF_B | BPF_MSH, 0),
        statement(BPF_LD | BPF_H | BPF_IND, 0),
        jump(BPF_JEQ, dns_port, 9, 0),
        statement(BPF_LD | BPF_H | BPF_IND, 2),
        jump(BPF_JEQ, dns_port, 7, 8),
        jump(BPF_JEQ, ETH_P_IPV6, 0, 7),
        statement(BPF_LD | BPF_B | BPF_ABS, 6),
        jump(BPF_JEQ, IPPROTO_UDP, 0, 5),
        statement(BPF_LD | BPF_H | BPF_ABS, 40),
        jump(BPF_JEQ, dns_port, 2, 0),
        statement(BPF_LD | BPF_H | BPF_ABS, 42),
        jump(BPF_JEQ, dns_port, 0, 1),
        statement(BPF_RET | BPF_K, snapshot),
        statement(BPF_RET | BPF_K, 0),
    }};
}

} // namespace

Result<PacketSocket> PacketSocket::open()
{
    // Without a protocol it receives nothing, until the filter is in place.
    UniqueFd socket(::socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket)
        return failure("no packet socket");
    auto code = dns_filter();
    const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
    const int locked = 1;
    if (setsockopt(socket.get(), SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)) != 0
        || setsockopt(socket.get(), SOL_SOCKET, SO_LOCK_FILTER, &locked, sizeof(locked)) != 0)
        return failure("no filter");
    // ETH_P_ALL: a socket for one protocol is not shown what goes out.
    sockaddr_ll everywhere{};
    everywhere.sll_family = AF_PACKET;
    everywhere.sll_protocol = htons(ETH_P_ALL);
    if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&everywhere), sizeof(everywhere)) != 0)
        return failure("packet socket not bound");
    return PacketSocket(std::move(socket));
}

void PacketSocket::read(int count, const std::function<void(const SeenPacket&)>& take)
{
    std::array<std::uint8_t, snapshot> bytes;
    for (int number = 0; number < count; ++number) {
        sockaddr_ll from{};
        socklen_t length = sizeof(from);
        const ssize_t size = recvfrom(socket_.get(), bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&from), &length);
        if (size < 0)
            return;
        if (from.sll_pkttype != PACKET_OUTGOING && from.sll_pkttype != PACKET_HOST)
            continue;
        take({std::span(bytes).first(static_cast<std::size_t>(size)), from.sll_ifindex, from.sll_pkttype == PACKET_OUTGOING});
    }
}

} // namespace tacet
