// SPDX-License-Identifier: GPL-3.0-or-later
// How long names of addresses are known, how many, and which questions a rule for a host's name answers.
#include <fstream>

#include "service_fixture.h"

namespace tacet {
namespace {

class Learned : public testing::Test {
protected:
    std::vector<std::string> names(const std::string& address = "192.0.2.7") { return table.find(address).names; }

    FakeClock clock;
    LearnedNames table{clock};
};

TEST_F(Learned, NameLivesAnHourAtLeastAndADayAtMost)
{
    table.learn({"192.0.2.7", "short.example", 5});
    table.learn({"192.0.2.8", "middle.example", 7200});
    table.learn({"192.0.2.9", "long.example", UINT32_MAX});
    clock.now += 1h - 1s;
    EXPECT_THAT(names(), ElementsAre("short.example"));
    clock.now += 1s;
    EXPECT_THAT(names(), IsEmpty());
    EXPECT_THAT(names("192.0.2.8"), ElementsAre("middle.example"));
    clock.now += 1h;
    EXPECT_THAT(names("192.0.2.8"), IsEmpty());
    EXPECT_THAT(names("192.0.2.9"), ElementsAre("long.example"));
    clock.now += 22h;
    EXPECT_THAT(names("192.0.2.9"), IsEmpty());
}

TEST_F(Learned, LastNameComesFirst)
{
    EXPECT_TRUE(table.learn({"192.0.2.7", "a.example", 5}));
    EXPECT_TRUE(table.learn({"192.0.2.7", "b.example", 5}));
    EXPECT_THAT(names(), ElementsAre("b.example", "a.example"));
    EXPECT_FALSE(table.learn({"192.0.2.7", "a.example", 5}));
    EXPECT_THAT(names(), ElementsAre("a.example", "b.example"));
}

TEST_F(Learned, TooManyNamesOfAnAddressAreTold)
{
    for (std::size_t i = 0; i <= LearnedNames::names_max; ++i) {
        EXPECT_TRUE(table.find("192.0.2.7").complete);
        table.learn({"192.0.2.7", std::to_string(i) + ".example", 5});
    }
    EXPECT_THAT(names(), SizeIs(LearnedNames::names_max));
    EXPECT_FALSE(table.find("192.0.2.7").complete);
    clock.now += 1h;
    EXPECT_TRUE(table.find("192.0.2.7").complete);
}

TEST_F(Learned, OldestAddressGoesFirst)
{
    const auto address = [](std::size_t i) { return "2001:db8::" + std::to_string(i); };
    for (std::size_t i = 0; i < LearnedNames::addresses_max; ++i)
        table.learn({address(i), "a.example", 5});
    table.learn({address(0), "a.example", 5});
    for (std::size_t i = 0; i < 2000; ++i)
        table.learn({address(100000 + i), "b.example", 5});
    EXPECT_THAT(names(address(0)), SizeIs(1));
    EXPECT_THAT(names(address(1)), IsEmpty());
    EXPECT_THAT(names(address(2000)), IsEmpty());
    EXPECT_THAT(names(address(2001)), SizeIs(1));
}

TEST(HostNames, FileOfHostsWins)
{
    const TemporaryDirectory directory;
    const std::string path = directory.path() + "/hosts";
    std::ofstream(path) << "192.0.2.7 Local.example alias.example # own\n";
    const FakeClock clock;
    HostNames names(clock, path);
    EXPECT_FALSE(names.learn({"192.0.2.7", "evil.example", 5}));
    EXPECT_EQ(names.names_of("192.0.2.7").shown, "local.example");
    EXPECT_THAT(names.names_of("192.0.2.7").learned, IsEmpty());
    // Nor does the network say who is called what the file says.
    EXPECT_FALSE(names.learn({"192.0.2.66", "local.example", 5}));
    EXPECT_FALSE(names.learn({"192.0.2.66", "alias.example", 5}));
    EXPECT_EQ(names.names_of("192.0.2.66").shown, "192.0.2.66");
    EXPECT_TRUE(names.learn({"192.0.2.66", "other.example", 5}));
    EXPECT_EQ(names.names_of("192.0.2.66").shown, "other.example");
}

class Named : public Service {
protected:
    Named()
    {
        world.agents.users.insert(1000);
        world.authority.allowed.insert("org.tacet.tacet1.rule-broad");
    }

    void learn(const char* name, const char* address = "192.0.2.7") { world.names.on_learned({address, name, 300}); }

    void rule_for(const char* host, Verdict verdict)
    {
        ScopeRequest scope;
        scope.subject_kind = SubjectKind::Any;
        scope.executable = "/usr/bin/curl";
        scope.host = host;
        ASSERT_TRUE(add_rule({verdict, Duration::Hour, scope}));
    }

    // Whether a rule answered the question, and how; nothing: it was asked.
    std::optional<Verdict> decided(QuestionId id)
    {
        const std::size_t before = world.kernel.verdicts.size();
        ask(id);
        return world.kernel.verdicts.size() > before ? std::optional(last_verdict().verdict) : std::nullopt;
    }
};

TEST_F(Named, QuestionSaysTheNameAskedForLast)
{
    learn("old.example");
    learn("files.example");
    ask(1);
    EXPECT_EQ(world.agents.asked.at(0).host, "files.example");
    EXPECT_EQ(world.agents.asked.at(0).address, "192.0.2.7");
}

TEST_F(Named, RuleHoldsForItsName)
{
    rule_for("files.example", Verdict::Allow);
    learn("files.example");
    EXPECT_EQ(decided(1), Verdict::Allow);
    EXPECT_EQ(last_verdict().scope, CacheScope::Flow);
    learn("other.example", "192.0.2.8");
    Question elsewhere = make_question(2);
    elsewhere.address = "192.0.2.8";
    world.kernel.ask(elsewhere);
    EXPECT_THAT(world.agents.asked, SizeIs(1));
}

TEST_F(Named, PermissionMustCoverEachName)
{
    for (const Verdict verdict : {Verdict::Allow, Verdict::Scrub})
        rule_for("files.example", verdict);
    learn("evil.example");
    learn("files.example");
    EXPECT_EQ(decided(1), std::nullopt);
    rule_for("*.example", Verdict::Allow);
    EXPECT_EQ(decided(2), Verdict::Allow);
    EXPECT_EQ(questions().size(), 0U);
}

TEST_F(Named, PermissionCoversNothingOfAnAddressOfTooManyNames)
{
    rule_for("*.example", Verdict::Allow);
    for (std::size_t i = 0; i < LearnedNames::names_max; ++i)
        learn((std::to_string(i) + ".example").c_str());
    EXPECT_EQ(decided(1), Verdict::Allow);
    learn("files.example");
    EXPECT_EQ(decided(2), std::nullopt);
}

TEST_F(Named, RefusalIsForAnyName)
{
    rule_for("files.example", Verdict::Block);
    learn("files.example");
    learn("other.example");
    EXPECT_EQ(decided(1), Verdict::Block);
}

TEST_F(Named, NameEnds)
{
    rule_for("files.example", Verdict::Allow);
    learn("files.example");
    advance(59min);
    EXPECT_EQ(decided(1), Verdict::Allow);
    advance(1min);
    EXPECT_EQ(decided(2), std::nullopt);
}

TEST_F(Named, NewNameOfAnAddressEndsWhatTheKernelRemembers)
{
    ScopeRequest scope;
    scope.subject_kind = SubjectKind::Any;
    ASSERT_TRUE(add_rule({Verdict::Block, Duration::Hour, scope}));
    ask(1);
    ASSERT_EQ(last_verdict().scope, CacheScope::Process);
    const auto flushes = world.kernel.flushes;
    learn("files.example");
    EXPECT_EQ(world.kernel.flushes, flushes + 1);
    learn("files.example");
    learn("other.example");
    EXPECT_EQ(world.kernel.flushes, flushes + 1);
}

TEST_F(Named, QuestionWaitsForNamesThatAreUnderWay)
{
    rule_for("files.example", Verdict::Allow);
    world.names.held = true;
    ask(1);
    EXPECT_THAT(world.kernel.verdicts, IsEmpty());
    EXPECT_THAT(world.agents.asked, IsEmpty());
    learn("files.example");
    world.names.come();
    EXPECT_EQ(last_verdict().verdict, Verdict::Allow);
}

TEST_F(Named, QuestionThatEndsWhileItWaitsIsNotAsked)
{
    world.names.held = true;
    ask(1);
    Notice notice;
    notice.id = 1;
    world.kernel.on_event(notice);
    world.names.come();
    EXPECT_THAT(world.agents.asked, IsEmpty());
    EXPECT_THAT(questions(), IsEmpty());
}

TEST_F(Named, ProtectionSaysWhetherTheDnsIsSeen)
{
    const auto found = [&] {
        std::vector<Protection> list;
        running->daemon.services().protection.list([&](Result<std::vector<Protection>> reply) { list = *reply; });
        return *std::ranges::find(list, "host-names", &Protection::name);
    };
    EXPECT_TRUE(found().enforced);
    world.names.seen = false;
    EXPECT_FALSE(found().enforced);
    EXPECT_EQ(found().detail, "names-not-seen");
}

} // namespace
} // namespace tacet
