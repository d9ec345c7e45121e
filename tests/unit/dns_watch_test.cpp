// SPDX-License-Identifier: GPL-3.0-or-later
// Packets made by hand, as a packet socket gives them; what of them is believed.
#include <gmock/gmock.h>

#include <arpa/inet.h>

#include "common/host_name.h"
#include "common/name_message.h"
#include "fakes.h"
#include "names/dns_watch.h"
#include "names/resolver_list.h"

namespace tacet {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint16_t type_a = 1;
constexpr std::uint16_t type_alias = 5;
constexpr std::uint16_t type_aaaa = 28;
constexpr int interface = 3;

void put(Bytes& bytes, std::uint32_t value, int size)
{
    for (int shift = 8 * (size - 1); shift >= 0; shift -= 8)
        bytes.push_back(static_cast<std::uint8_t>(value >> shift));
}

Bytes operator+(Bytes left, const Bytes& right)
{
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

Bytes encoded_name(std::string_view name)
{
    Bytes bytes;
    while (!name.empty()) {
        const std::string_view label = name.substr(0, name.find('.'));
        bytes.push_back(static_cast<std::uint8_t>(label.size()));
        bytes.insert(bytes.end(), label.begin(), label.end());
        name.remove_prefix(std::min(label.size() + 1, name.size()));
    }
    bytes.push_back(0);
    return bytes;
}

Bytes address_bytes(const char* text)
{
    const bool is_ip6 = std::string_view(text).find(':') != std::string_view::npos;
    Bytes bytes(is_ip6 ? 16 : 4);
    inet_pton(is_ip6 ? AF_INET6 : AF_INET, text, bytes.data());
    return bytes;
}

Bytes record(const Bytes& owner, std::uint16_t type, std::uint32_t seconds, const Bytes& data)
{
    Bytes bytes = owner;
    put(bytes, type, 2);
    put(bytes, 1, 2);
    put(bytes, seconds, 4);
    put(bytes, static_cast<std::uint32_t>(data.size()), 2);
    return bytes + data;
}

struct Message {
    std::uint16_t id = 0x1234;
    std::string name = "files.example";
    std::uint16_t type = type_a;
    std::uint16_t flags = 0x0100;
    std::vector<Bytes> records = {};

    Bytes encode() const
    {
        Bytes bytes;
        for (const std::size_t number :
             {std::size_t{id}, std::size_t{flags}, std::size_t{1}, records.size(), std::size_t{0}, std::size_t{0}})
            put(bytes, static_cast<std::uint32_t>(number), 2);
        bytes = bytes + encoded_name(name);
        put(bytes, type, 2);
        put(bytes, 1, 2);
        for (const Bytes& one : records)
            bytes = bytes + one;
        return bytes;
    }
};

struct Ends {
    const char* source = "10.0.0.2";
    std::uint16_t source_port = 40000;
    const char* destination = "10.0.0.53";
    std::uint16_t destination_port = 53;

    Ends back() const { return {destination, destination_port, source, source_port}; }
};

Bytes udp(const Ends& ends, const Bytes& payload)
{
    Bytes datagram;
    put(datagram, ends.source_port, 2);
    put(datagram, ends.destination_port, 2);
    put(datagram, static_cast<std::uint32_t>(payload.size() + 8), 2);
    put(datagram, 0, 2);
    return datagram + payload;
}

Bytes packet(const Ends& ends, const Bytes& payload)
{
    const Bytes datagram = udp(ends, payload);
    const Bytes addresses = address_bytes(ends.source) + address_bytes(ends.destination);
    if (addresses.size() == 8) {
        Bytes header{0x45, 0};
        put(header, static_cast<std::uint32_t>(20 + datagram.size()), 2);
        return header + Bytes{0, 0, 0x40, 0, 64, 17, 0, 0} + addresses + datagram;
    }
    Bytes header{0x60, 0, 0, 0};
    put(header, static_cast<std::uint32_t>(datagram.size()), 2);
    return header + Bytes{17, 64} + addresses + datagram;
}

const Bytes to_question{0xc0, 12}; // compressed: the name in the question

Message answer_to(Message question, std::vector<Bytes> records)
{
    question.flags = 0x8180;
    question.records = std::move(records);
    return question;
}

class Watch : public testing::Test {
protected:
    std::vector<LearnedName> out(const Bytes& bytes, int where = interface) { return watch.take({bytes, where, true}); }
    std::vector<LearnedName> in(const Bytes& bytes, int where = interface) { return watch.take({bytes, where, false}); }
    void ask(const Message& question = {}, const Ends& ends = {})
    {
        EXPECT_THAT(out(packet(ends, question.encode())), IsEmpty());
    }
    std::vector<LearnedName> answer(const Message& message, const Ends& ends = Ends().back())
    {
        return in(packet(ends, message.encode()));
    }
    static Message usual_answer() { return answer_to({}, {record(to_question, type_a, 300, address_bytes("192.0.2.7"))}); }

    FakeClock clock;
    DnsWatch watch{clock, [](const std::string& address) { return address == "10.0.0.53" || address == "fd00::53"; }};
};

TEST_F(Watch, LearnsTheNameThatWasAskedFor)
{
    ask();
    EXPECT_THAT(answer(usual_answer()), ElementsAre(LearnedName{"192.0.2.7", "files.example", 300}));
}

TEST_F(Watch, LearnsOverIp6)
{
    const Ends ends{"fd00::2", 40000, "fd00::53", 53};
    const Message question{.name = "Files.Example", .type = type_aaaa};
    ask(question, ends);
    const Message reply = answer_to(question, {record(to_question, type_aaaa, 60, address_bytes("2001:db8::7")),
                                               record(to_question, type_aaaa, 50, address_bytes("2001:db8::8"))});
    EXPECT_THAT(answer(reply, ends.back()),
                ElementsAre(LearnedName{"2001:db8::7", "files.example", 60}, LearnedName{"2001:db8::8", "files.example", 50}));
}

TEST_F(Watch, FollowsAliases)
{
    ask();
    const Message reply = answer_to({}, {record(to_question, type_alias, 100, encoded_name("a.cdn.example")),
                                         record(encoded_name("a.cdn.example"), type_alias, 20, encoded_name("b.cdn.example")),
                                         record(encoded_name("elsewhere.example"), type_a, 300, address_bytes("192.0.2.66")),
                                         record(encoded_name("b.cdn.example"), type_a, 300, address_bytes("192.0.2.8"))});
    EXPECT_THAT(answer(reply), ElementsAre(LearnedName{"192.0.2.8", "files.example", 20}));
}

TEST_F(Watch, BelievesNoAnswerWithoutItsQuestion)
{
    EXPECT_THAT(answer(usual_answer()), IsEmpty());
    ask();
    const Ends back = Ends().back();
    for (const Ends& ends : {Ends{"10.0.0.54", 53, back.destination, 40000}, Ends{back.source, 54, back.destination, 40000},
                             Ends{back.source, 53, back.destination, 40001}, Ends{back.source, 53, "10.0.0.3", 40000}})
        EXPECT_THAT(answer(usual_answer(), ends), IsEmpty());
    Message wrong = usual_answer();
    wrong.id = 0x1235;
    EXPECT_THAT(answer(wrong), IsEmpty());
    wrong = usual_answer();
    wrong.name = "evil.example";
    EXPECT_THAT(answer(wrong), IsEmpty());
    wrong = usual_answer();
    wrong.type = type_aaaa;
    EXPECT_THAT(answer(wrong), IsEmpty());
    EXPECT_THAT(in(packet(back, usual_answer().encode()), interface + 1), IsEmpty());
    EXPECT_THAT(out(packet(back, usual_answer().encode())), IsEmpty());
    EXPECT_THAT(answer(usual_answer()), SizeIs(1));
}

TEST_F(Watch, BelievesOnlyTheFirstAnswer)
{
    ask();
    EXPECT_THAT(answer(usual_answer()), SizeIs(1));
    EXPECT_THAT(answer(answer_to({}, {record(to_question, type_a, 300, address_bytes("192.0.2.66"))})), IsEmpty());
}

TEST_F(Watch, BelievesNoLateAnswer)
{
    ask();
    clock.now += DnsWatch::patience;
    EXPECT_THAT(answer(usual_answer()), IsEmpty());
}

TEST_F(Watch, BelievesOnlyServersThatTheMachineIsSetUpToAsk)
{
    const Ends ends{"10.0.0.2", 40000, "203.0.113.1", 53};
    ask({}, ends);
    EXPECT_THAT(answer(usual_answer(), ends.back()), IsEmpty());
}

TEST_F(Watch, BelievesNoQuestionThatComesIn)
{
    EXPECT_THAT(in(packet({}, Message().encode())), IsEmpty());
    EXPECT_THAT(answer(usual_answer()), IsEmpty());
}

TEST_F(Watch, LearnsNothingFromARefusalOrAnAnswerCutShort)
{
    for (const std::uint16_t flags : std::initializer_list<std::uint16_t>{0x8183, 0x8380, 0x8980}) {
        ask();
        Message reply = usual_answer();
        reply.flags = flags;
        EXPECT_THAT(answer(reply), IsEmpty()) << flags;
    }
}

TEST_F(Watch, EveryTruncationIsHarmless)
{
    const Bytes whole = packet(Ends().back(), usual_answer().encode());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        ask();
        // In a buffer of its own size, so that a sanitizer sees what is read behind it.
        EXPECT_THAT(in(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))), IsEmpty());
    }
    const Bytes message = usual_answer().encode();
    for (std::size_t size = 0; size < message.size(); ++size) {
        ask();
        EXPECT_THAT(in(packet(Ends().back(), Bytes(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(size)))),
                    IsEmpty());
    }
}

TEST_F(Watch, EveryChangedByteIsHarmless)
{
    const Bytes whole = packet(Ends().back(), usual_answer().encode());
    for (std::size_t place = 0; place < whole.size(); ++place) {
        for (int value = 0; value < 256; ++value) {
            ask();
            Bytes changed = whole;
            changed[place] = static_cast<std::uint8_t>(value);
            for (const LearnedName& learned : in(changed))
                EXPECT_EQ(learned.name, "files.example");
        }
    }
}

TEST_F(Watch, CompressionLoopsEnd)
{
    const Bytes to_itself{0xc0, 31}; // the first record's own place
    for (const Bytes& owner : {to_itself, Bytes{0xc0, 0xff}, Bytes{0xff, 0xff}, Bytes{3, 'a', 'b'}}) {
        ask();
        EXPECT_THAT(answer(answer_to({}, {record(owner, type_a, 300, address_bytes("192.0.2.7"))})), IsEmpty());
        ask();
        EXPECT_THAT(answer(answer_to({}, {record(to_question, type_alias, 300, owner)})), IsEmpty());
    }
    ask();
    const Message circle = answer_to({}, {record(to_question, type_alias, 300, encoded_name("a.example")),
                                          record(encoded_name("a.example"), type_alias, 300, to_question)});
    EXPECT_THAT(answer(circle), IsEmpty());
}

TEST_F(Watch, AddressesOfAnotherLengthAreNone)
{
    ask();
    EXPECT_THAT(answer(answer_to({}, {record(to_question, type_a, 300, address_bytes("2001:db8::7"))})), IsEmpty());
}

TEST_F(Watch, FragmentsAreNone)
{
    ask();
    for (const std::uint8_t bits : std::initializer_list<std::uint8_t>{0x20, 0x01}) {
        Bytes fragment = packet(Ends().back(), usual_answer().encode());
        fragment[6] = bits;
        EXPECT_THAT(in(fragment), IsEmpty());
    }
}

TEST_F(Watch, ThousandsOfQuestionsPushOutTheOldest)
{
    ask();
    for (std::uint16_t port = 0; port < DnsWatch::questions_max; ++port)
        ask({}, {"10.0.0.2", static_cast<std::uint16_t>(50000 + port), "10.0.0.53", 53});
    EXPECT_THAT(answer(usual_answer()), IsEmpty());
    EXPECT_THAT(answer(usual_answer(), {"10.0.0.53", 53, "10.0.0.2", 50000}), SizeIs(1));
}

TEST_F(Watch, NamesThatAreNoHostsAreNotAskedFor)
{
    for (const char* name : {"192.0.2.9", "a b.example", "*.example", "a\nb.example"}) {
        const Message question{.name = name};
        ask(question);
        EXPECT_THAT(answer(answer_to(question, {record(to_question, type_a, 300, address_bytes("192.0.2.7"))})), IsEmpty())
            << name;
    }
}

TEST(HostName, IsLowerCaseAndNothingElse)
{
    EXPECT_EQ(to_host_name("Files.EXAMPLE."), "files.example");
    EXPECT_EQ(to_host_name("xn--bcher-kva.example"), "xn--bcher-kva.example");
    EXPECT_EQ(to_host_name("_srv.a-b.7even"), std::nullopt);
    const std::string label(63, 'a');
    EXPECT_TRUE(to_host_name(label + '.' + label + '.' + label + '.' + label.substr(2)));
    for (const std::string& text :
         {std::string(), std::string("."), std::string("a..b"), std::string("10.0.0.1"), std::string("1"),
          std::string("-a.example"), std::string("b\xc3\xbc"), std::string("a/b"), std::string("::1"), std::string("a\0b", 3),
          label + 'a', label + '.' + label + '.' + label + '.' + label})
        EXPECT_EQ(to_host_name(text), std::nullopt) << text;
}

TEST(Resolvers, AreTheLinesOfTheFile)
{
    EXPECT_THAT(parse_resolvers("# nameserver 10.0.0.9\nsearch example\nnameserver 10.0.0.53\n nameserver\tFD00:0::53 # home\n"
                                "nameserver fe80::1%eth0\nnameserver nonsense\nnameserver"),
                ElementsAre("10.0.0.53", "fd00::53", "fe80::1"));
}

TEST(NameMessage, ComesBackAsItWent)
{
    for (const NameMessage& message : {NameMessage(WatchState{true}), NameMessage(WatchState{false}), NameMessage(CatchUp{7}),
                                       NameMessage(LearnedName{"2001:db8::7", "files.example", 300})})
        EXPECT_EQ(parse_name_message(to_text(message)), message);
    for (const char* text : {"", "name", "name 192.0.2.7 300", "name 192.0.2 300 a.example", "name 192.0.2.7 -1 a.example",
                             "name 192.0.2.7 300 192.0.2.8", "catch-up", "catch-up x", "other"})
        EXPECT_EQ(parse_name_message(text), std::nullopt) << text;
}

} // namespace
} // namespace tacet
