// SPDX-License-Identifier: GPL-3.0-or-later
#include "names/dns_message.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>

#include "common/host_name.h"

namespace tacet {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr int records_max = 128;
constexpr std::size_t answer_bit_offset = 2;

// The message and the question in it.
std::optional<DnsQuestion> open_message(Bytes bytes, ns_msg& ret_message)
{
    if (ns_initparse(bytes.data(), static_cast<int>(bytes.size()), &ret_message) != 0
        || ns_msg_getflag(ret_message, ns_f_opcode) != ns_o_query || ns_msg_count(ret_message, ns_s_qd) != 1)
        return std::nullopt;
    ns_rr record{};
    if (ns_parserr(&ret_message, ns_s_qd, 0, &record) != 0 || ns_rr_class(record) != ns_c_in
        || (ns_rr_type(record) != ns_t_a && ns_rr_type(record) != ns_t_aaaa))
        return std::nullopt;
    auto name = to_host_name(ns_rr_name(record));
    if (!name)
        return std::nullopt;
    return DnsQuestion{ns_msg_id(ret_message), ns_rr_type(record), std::move(*name)};
}

std::optional<std::string> alias_target(const ns_msg& message, const ns_rr& record)
{
    std::array<char, NS_MAXDNAME> target{};
    if (ns_name_uncompress(ns_msg_base(message), ns_msg_end(message), ns_rr_rdata(record), target.data(), target.size()) < 0)
        return std::nullopt;
    return to_host_name(target.data());
}

std::optional<std::string> address_of(const ns_rr& record)
{
    const bool is_ip6 = ns_rr_type(record) == ns_t_aaaa;
    if (ns_rr_rdlen(record) != (is_ip6 ? sizeof(in6_addr) : sizeof(in_addr)))
        return std::nullopt;
    std::array<char, INET6_ADDRSTRLEN> text{};
    inet_ntop(is_ip6 ? AF_INET6 : AF_INET, ns_rr_rdata(record), text.data(), text.size());
    return text.data();
}

// Follows the aliases in the order of the records, which is the order of the chain.
bool collect_addresses(ns_msg& message, DnsAnswer& answer)
{
    std::string owner = answer.question.name;
    std::uint32_t alias_seconds = UINT32_MAX;
    const int count = std::min<int>(ns_msg_count(message, ns_s_an), records_max);
    for (int index = 0; index < count; ++index) {
        ns_rr record{};
        if (ns_parserr(&message, ns_s_an, index, &record) != 0)
            return false;
        if (ns_rr_class(record) != ns_c_in || to_host_name(ns_rr_name(record)) != owner)
            continue;
        if (ns_rr_type(record) == ns_t_cname) {
            auto target = alias_target(message, record);
            if (!target)
                return false;
            owner = std::move(*target);
            alias_seconds = std::min(alias_seconds, ns_rr_ttl(record));
        } else if (ns_rr_type(record) == answer.question.type) {
            auto address = address_of(record);
            if (!address)
                return false;
            answer.addresses.push_back({std::move(*address), std::min(alias_seconds, ns_rr_ttl(record))});
        }
    }
    return true;
}

} // namespace

bool is_dns_answer(Bytes message)
{
    return message.size() > answer_bit_offset && (message[answer_bit_offset] & 0x80U) != 0;
}

std::optional<DnsQuestion> parse_dns_question(Bytes bytes)
{
    ns_msg message{};
    return is_dns_answer(bytes) ? std::nullopt : open_message(bytes, message);
}

std::optional<DnsAnswer> parse_dns_answer(Bytes bytes)
{
    ns_msg message{};
    auto question = is_dns_answer(bytes) ? open_message(bytes, message) : std::nullopt;
    if (!question || ns_msg_getflag(message, ns_f_tc) != 0 || ns_msg_getflag(message, ns_f_rcode) != ns_r_noerror)
        return std::nullopt;
    DnsAnswer answer{std::move(*question), {}};
    if (!collect_addresses(message, answer))
        return std::nullopt;
    return answer;
}

} // namespace tacet
