// SPDX-License-Identifier: GPL-3.0-or-later
#include "names/dns_watch.h"

#include <algorithm>

namespace tacet {
namespace {

constexpr std::uint16_t dns_port = 53;

} // namespace

std::vector<LearnedName> DnsWatch::take(const SeenPacket& packet)
{
    const auto datagram = parse_udp(packet.bytes);
    if (!datagram)
        return {};
    while (!asked_.empty() && asked_.front().until <= clock_.boottime())
        asked_.pop_front();
    if (packet.outgoing && datagram->destination.port == dns_port)
        remember(packet, *datagram);
    else if (!packet.outgoing && datagram->source.port == dns_port)
        return believe(packet, *datagram);
    return {};
}

void DnsWatch::remember(const SeenPacket& packet, const UdpPacket& datagram)
{
    auto question = parse_dns_question(datagram.payload);
    if (!question || !is_resolver_(datagram.destination.address))
        return;
    if (asked_.size() >= questions_max)
        asked_.pop_front();
    asked_.push_back(
        {packet.interface, datagram.source, datagram.destination, std::move(*question), clock_.boottime() + patience});
}

std::vector<LearnedName> DnsWatch::believe(const SeenPacket& packet, const UdpPacket& datagram)
{
    // Before the message is taken apart: a flood of answers that nobody asked for costs no more than this.
    const auto is_awaited = [&](const Asked& asked) {
        return asked.interface == packet.interface && asked.asker == datagram.destination && asked.server == datagram.source;
    };
    if (std::ranges::none_of(asked_, is_awaited))
        return {};
    const auto answer = parse_dns_answer(datagram.payload);
    if (!answer)
        return {};
    const auto is_answered = [&](const Asked& asked) { return is_awaited(asked) && asked.question == answer->question; };
    // The first answer is the one that the asker takes: a later one is not believed.
    if (std::erase_if(asked_, is_answered) == 0)
        return {};
    std::vector<LearnedName> learned;
    for (const DnsAddress& address : answer->addresses)
        learned.push_back({address.text, answer->question.name, address.seconds});
    return learned;
}

} // namespace tacet
