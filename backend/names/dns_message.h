// SPDX-License-Identifier: GPL-3.0-or-later
// Questions for addresses, and the answers to them, in the DNS's form; libresolv takes the messages apart.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tacet {

// Only records of the class Internet.
struct DnsQuestion {
    std::uint16_t id = 0;
    std::uint16_t type = 0; // A or AAAA
    std::string name;       // as to_host_name() spells it
    bool operator==(const DnsQuestion&) const = default;
};

struct DnsAddress {
    std::string text;
    std::uint32_t seconds = 0; // to live; the shortest on the way to it
};

struct DnsAnswer {
    DnsQuestion question;
    std::vector<DnsAddress> addresses; // of the name that was asked for, also by aliases
};

bool is_dns_answer(std::span<const std::uint8_t> message);
std::optional<DnsQuestion> parse_dns_question(std::span<const std::uint8_t> message);
// Nothing also for an answer that was cut short, since the resolver asks again over TCP.
std::optional<DnsAnswer> parse_dns_answer(std::span<const std::uint8_t> message);

} // namespace tacet
