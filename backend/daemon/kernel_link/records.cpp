// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/kernel_link/records.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

#include "contract/codes.h"

namespace tacet {
namespace {

static_assert(label_max == TACET_LABEL_MAX);
static_assert(guarded_max == TACET_GUARD_MAX);

template <std::size_t size>
std::string text(const char (&field)[size])
{
    return {field, strnlen(field, size)};
}

std::vector<std::uint8_t> excerpt(const __u8 (&field)[TACET_EXCERPT_MAX], __u32 length)
{
    return {field, field + std::min<__u32>(length, TACET_EXCERPT_MAX)};
}

std::string address_text(const tacet_question& record)
{
    // A raw socket's record has a family and an address, too, but its bytes say where they go.
    if (record.sink != TACET_SINK_NETWORK)
        return {};
    std::array<char, INET6_ADDRSTRLEN> buffer{};
    // This fails for all families but AF_INET and AF_INET6.
    if (inet_ntop(record.family, record.address, buffer.data(), buffer.size()) == nullptr)
        return {};
    // A connection to ::ffff:192.0.2.1 reaches the same peer as one to 192.0.2.1, so one rule must cover both.
    const std::string address = buffer.data();
    return address.starts_with("::ffff:") && address.find('.') != std::string::npos ? address.substr(7) : address;
}

std::string protocol_text(std::uint16_t protocol)
{
    switch (protocol) {
    case IPPROTO_TCP:
        return "tcp";
    case IPPROTO_UDP:
        return "udp";
    case IPPROTO_ICMP:
    case IPPROTO_ICMPV6:
        return "icmp";
    default:
        return protocol == 0 ? "" : std::to_string(protocol);
    }
}

Sink sink_of(__u32 sink)
{
    return contract::sink_from_kernel(sink).value_or(Sink::Other);
}

std::vector<std::string> chain_of(const tacet_question& record)
{
    std::vector<std::string> chain;
    for (__u32 hop = 0; hop < std::min<__u32>(record.chain_length, TACET_CHAIN_MAX); ++hop) {
        if (record.chain[hop].pid != record.pid)
            chain.push_back(text(record.chain[hop].comm));
    }
    return chain;
}

Question question_of(const tacet_question& record)
{
    Question question;
    question.id = record.id;
    question.deadline = BootTime(record.deadline);
    question.process = {static_cast<pid_t>(record.pid), BootTime(record.start_time)};
    question.uid = record.uid;
    question.executable = text(record.executable);
    question.comm = text(record.comm);
    question.origin = {record.origin_device, record.origin_inode};
    question.file = text(record.origin);
    question.chain = chain_of(record);
    question.label = from_kernel(record.label);
    question.sink = sink_of(record.sink);
    question.address = address_text(record);
    question.port = record.port;
    question.protocol = record.sink == TACET_SINK_NETWORK ? protocol_text(record.protocol) : "";
    question.target = text(record.target);
    question.tainted = (record.flags & TACET_QUESTION_TAINTED) != 0;
    question.can_take_over = (record.flags & TACET_QUESTION_TAKEOVER) != 0;
    question.removes = (record.flags & TACET_QUESTION_REMOVES) != 0;
    question.in_session = (record.flags & TACET_QUESTION_PRIVATE) != 0;
    question.length = record.length;
    question.scrubbed_length = record.scrubbed_length;
    question.preview = excerpt(record.excerpt, record.excerpt_length);
    question.scrubbed_preview = excerpt(record.scrubbed_excerpt, record.scrubbed_excerpt_length);
    question.calls_equal = record.calls_equal;
    question.calls_total = record.calls_total;
    question.calls_realigned = record.calls_realigned;
    return question;
}

std::optional<NoticeKind> notice_kind(__u32 type)
{
    switch (type) {
    case TACET_EVENT_WITHDRAWN:
        return NoticeKind::Withdrawn;
    case TACET_EVENT_LABELLED:
        return NoticeKind::Labelled;
    case TACET_EVENT_STALE:
        return NoticeKind::Stale;
    case TACET_EVENT_TAINTED:
        return NoticeKind::Tainted;
    case TACET_EVENT_REFUSED:
        return NoticeKind::Refused;
    case TACET_EVENT_LOST:
        return NoticeKind::Lost;
    default:
        return std::nullopt;
    }
}

Notice notice_of(NoticeKind kind, const tacet_notice& record)
{
    Notice notice;
    notice.kind = kind;
    notice.id = record.id;
    notice.pid = static_cast<pid_t>(record.pid);
    notice.uid = record.uid;
    notice.file = {record.device, record.inode};
    notice.label = from_kernel(record.label);
    notice.comm = text(record.comm);
    notice.reason = text(record.reason);
    notice.path = text(record.path);
    return notice;
}

template <typename Record>
std::optional<Record> read_record(std::span<const char> bytes)
{
    if (bytes.size() < sizeof(Record))
        return std::nullopt;
    Record record;
    std::memcpy(&record, bytes.data(), sizeof(record));
    return record;
}

} // namespace

std::optional<KernelEvent> take_event(std::span<const char>& data)
{
    const auto header = read_record<tacet_event>(data);
    if (!header || header->size < sizeof(tacet_event) || header->size > data.size()) {
        data = {};
        return std::nullopt;
    }
    const auto bytes = data.first(header->size);
    data = data.subspan(header->size);
    if (header->type == TACET_EVENT_QUESTION || header->type == TACET_EVENT_MISSED) {
        const auto record = read_record<tacet_question>(bytes);
        if (!record)
            return std::nullopt;
        if (header->type == TACET_EVENT_MISSED)
            return Missed{question_of(*record)};
        return Asked{question_of(*record)};
    }
    const auto kind = notice_kind(header->type);
    const auto record = read_record<tacet_notice>(bytes);
    if (!kind || !record)
        return std::nullopt;
    return notice_of(*kind, *record);
}

Label from_kernel(const tacet_label& label)
{
    const std::size_t count = std::min<std::size_t>(label.count, TACET_LABEL_MAX);
    return make_label({label.categories, label.categories + count});
}

tacet_label to_kernel(const Label& label)
{
    tacet_label out{};
    out.count = static_cast<__u32>(label.categories.size());
    std::ranges::copy(label.categories, out.categories);
    return out;
}

tacet_verdict to_kernel(const CachedVerdict& verdict)
{
    tacet_verdict out{};
    out.question = verdict.question;
    out.action = contract::to_kernel(verdict.verdict);
    switch (verdict.scope) {
    case CacheScope::Flow:
        out.scope = TACET_SCOPE_FLOW;
        break;
    case CacheScope::Process:
        out.scope = TACET_SCOPE_PROCESS;
        break;
    case CacheScope::File:
        out.scope = TACET_SCOPE_FILE;
        break;
    case CacheScope::FlowFile:
        out.scope = TACET_SCOPE_FLOW_FILE;
        break;
    }
    out.until = static_cast<__u64>(verdict.until.count());
    return out;
}

tacet_policy to_kernel(const KernelPolicy& policy)
{
    tacet_policy out{};
    out.question_timeout_ms = static_cast<__u32>(policy.question_timeout.count());
    out.barrier_timeout_ms = static_cast<__u32>(policy.barrier_timeout.count());
    return out;
}

} // namespace tacet
