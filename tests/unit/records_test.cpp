// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <cstring>

#include <arpa/inet.h>

#include "daemon/kernel_link/records.h"

namespace tacet {
namespace {

tacet_question make_record()
{
    tacet_question record{};
    record.event = {sizeof(record), TACET_EVENT_QUESTION, 5};
    record.id = 9;
    record.pid = 42;
    record.uid = 1000;
    record.start_time = 77;
    record.sink = TACET_SINK_NETWORK;
    record.family = AF_INET;
    record.protocol = IPPROTO_TCP;
    inet_pton(AF_INET, "192.0.2.7", record.address);
    record.port = 80;
    record.label.count = 1;
    record.label.categories[0] = 3;
    record.excerpt_length = 2;
    std::memcpy(record.excerpt, "hi", 2);
    std::strcpy(record.executable, "/usr/bin/curl");
    return record;
}

template <typename Record>
std::span<const char> bytes_of(const Record& record)
{
    return {reinterpret_cast<const char*>(&record), sizeof(record)};
}

Question parse(const tacet_question& record)
{
    auto data = bytes_of(record);
    return std::get<Asked>(*take_event(data)).question;
}

TEST(Records, Question)
{
    const Question question = parse(make_record());
    EXPECT_EQ(question.id, 9U);
    EXPECT_EQ(question.process, (ProcessIdentity{42, BootTime(77)}));
    EXPECT_EQ(question.address, "192.0.2.7");
    EXPECT_EQ(question.protocol, "tcp");
    EXPECT_EQ(question.executable, "/usr/bin/curl");
    EXPECT_EQ(question.label, make_label({3}));
    EXPECT_EQ(question.preview, (std::vector<std::uint8_t>{'h', 'i'}));
}

TEST(Records, ChainIsOfTheOthers)
{
    tacet_question record = make_record();
    EXPECT_THAT(parse(record).chain, testing::IsEmpty());
    const auto add = [&](std::uint32_t pid, const char* comm) {
        record.chain[record.chain_length].pid = pid;
        std::strcpy(record.chain[record.chain_length++].comm, comm);
    };
    add(40, "cat");
    add(41, "gzip");
    add(record.pid, "curl");
    EXPECT_THAT(parse(record).chain, testing::ElementsAre("cat", "gzip"));
    record.chain_length = 1000;
    EXPECT_THAT(parse(record).chain, testing::SizeIs(TACET_CHAIN_MAX - 1));
}

TEST(Records, Flags)
{
    tacet_question record = make_record();
    EXPECT_FALSE(parse(record).tainted || parse(record).can_take_over);
    record.flags = TACET_QUESTION_TAINTED;
    EXPECT_TRUE(parse(record).tainted && !parse(record).can_take_over);
    record.flags = TACET_QUESTION_TAKEOVER;
    EXPECT_TRUE(!parse(record).tainted && parse(record).can_take_over && !parse(record).in_session);
    record.flags = TACET_QUESTION_PRIVATE;
    EXPECT_TRUE(parse(record).in_session && !parse(record).can_take_over);
}

TEST(Records, MappedAddressIsThatOfItsPeer)
{
    tacet_question record = make_record();
    record.family = AF_INET6;
    inet_pton(AF_INET6, "::ffff:192.0.2.7", record.address);
    EXPECT_EQ(parse(record).address, "192.0.2.7");
    inet_pton(AF_INET6, "2001:db8::1", record.address);
    EXPECT_EQ(parse(record).address, "2001:db8::1");
}

TEST(Records, OnlyAMachineOnTheNetworkHasAnAddress)
{
    tacet_question record = make_record();
    for (const __u32 sink : {TACET_SINK_FILE, TACET_SINK_DEVICE, TACET_SINK_OTHER, TACET_SINK_MARKED}) {
        record.sink = sink;
        EXPECT_EQ(parse(record).address, "") << sink;
        EXPECT_EQ(parse(record).protocol, "") << sink;
    }
    record.sink = TACET_SINK_NETWORK;
    record.family = AF_UNIX;
    EXPECT_EQ(parse(record).address, "");
}

TEST(Records, LengthsAndStringsAreNotTrusted)
{
    tacet_question record = make_record();
    record.excerpt_length = 1'000'000;
    record.label.count = 1'000'000;
    std::memset(record.executable, 'a', sizeof(record.executable));
    const Question question = parse(record);
    EXPECT_EQ(question.preview.size(), std::size_t{TACET_EXCERPT_MAX});
    EXPECT_LE(question.label.categories.size(), label_max);
    EXPECT_EQ(question.executable.size(), std::size_t{TACET_PATH_MAX});
}

TEST(Records, SeveralInOneRead)
{
    tacet_notice notice{};
    notice.event = {sizeof(notice), TACET_EVENT_WITHDRAWN, 0};
    notice.id = 4;
    const tacet_question question = make_record();
    std::vector<char> buffer;
    for (const auto bytes : {bytes_of(question), bytes_of(notice)})
        buffer.insert(buffer.end(), bytes.begin(), bytes.end());
    std::span<const char> data(buffer);
    EXPECT_TRUE(std::holds_alternative<Asked>(*take_event(data)));
    const auto second = take_event(data);
    ASSERT_TRUE(second);
    EXPECT_EQ(std::get<Notice>(*second).id, 4U);
    EXPECT_TRUE(data.empty());
}

TEST(Records, BadSizesEndTheRead)
{
    for (const __u32 size : {0U, 8U, static_cast<__u32>(sizeof(tacet_question)) + 1, ~0U}) {
        tacet_question record = make_record();
        record.event.size = size;
        auto data = bytes_of(record);
        EXPECT_FALSE(take_event(data));
        EXPECT_TRUE(data.empty());
    }
}

TEST(Records, UnknownTypeAndShortRecordArePassedOver)
{
    tacet_question record = make_record();
    record.event.type = 99;
    auto data = bytes_of(record);
    EXPECT_FALSE(take_event(data));
    EXPECT_TRUE(data.empty());
    const tacet_event bare{sizeof(tacet_event), TACET_EVENT_QUESTION, 0};
    data = bytes_of(bare);
    EXPECT_FALSE(take_event(data));
}

TEST(Records, Verdict)
{
    const tacet_verdict verdict = to_kernel(CachedVerdict{9, Verdict::Scrub, CacheScope::Process, BootTime(5)});
    EXPECT_EQ(verdict.question, 9U);
    EXPECT_EQ(verdict.action, __u32{TACET_ACTION_SCRUB});
    EXPECT_EQ(verdict.scope, __u32{TACET_SCOPE_PROCESS});
    EXPECT_EQ(verdict.until, 5U);
}

TEST(Records, EachScopeHasItsNumber)
{
    EXPECT_EQ(to_kernel(CachedVerdict{9, Verdict::Block, CacheScope::Flow, {}}).scope, __u32{TACET_SCOPE_FLOW});
    EXPECT_EQ(to_kernel(CachedVerdict{9, Verdict::Block, CacheScope::File, {}}).scope, __u32{TACET_SCOPE_FILE});
    EXPECT_EQ(to_kernel(CachedVerdict{9, Verdict::Block, CacheScope::FlowFile, {}}).scope, __u32{TACET_SCOPE_FLOW_FILE});
}

TEST(Records, EachVerdictHasItsAction)
{
    for (const auto& [verdict, action] :
         {std::pair{Verdict::Block, TACET_ACTION_BLOCK}, std::pair{Verdict::Quit, TACET_ACTION_QUIT},
          std::pair{Verdict::Takeover, TACET_ACTION_TAKEOVER}, std::pair{Verdict::Scrub, TACET_ACTION_SCRUB},
          std::pair{Verdict::Allow, TACET_ACTION_ALLOW}})
        EXPECT_EQ(to_kernel(CachedVerdict{.question = 9, .verdict = verdict}).action, static_cast<__u32>(action));
}

} // namespace
} // namespace tacet
