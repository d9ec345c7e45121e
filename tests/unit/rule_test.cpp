// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "daemon/core/rule.h"
#include "daemon/core/rule_words.h"
#include "fakes.h"

namespace tacet {
namespace {

Question make_question()
{
    Question question;
    question.uid = question.owner = 1000;
    question.process = {42, BootTime(7)};
    question.executable = "/usr/bin/curl";
    question.file = "/home/user/Documents/salaries.csv";
    question.categories = {"finance"};
    question.label_within_file = true;
    question.address = "192.0.2.7";
    question.host = "www.example.org";
    question.port = 443;
    return question;
}

Rule make_rule(RuleScope scope, Verdict verdict = Verdict::Block, RuleId id = 1)
{
    return {.id = id, .owner = 1000, .verdict = verdict, .scope = std::move(scope), .lifetime = {}};
}

TEST(Rule, MatchesBySubject)
{
    const Question question = make_question();
    EXPECT_TRUE(matches(make_rule({}), question));
    EXPECT_TRUE(matches(make_rule({SubjectKind::File, question.file, "", "", 0}), question));
    EXPECT_FALSE(matches(make_rule({SubjectKind::File, "/home/user/Documents/other", "", "", 0}), question));
    EXPECT_TRUE(matches(make_rule({SubjectKind::Folder, "/home/user", "", "", 0}), question));
    EXPECT_TRUE(matches(make_rule({SubjectKind::Folder, "/", "", "", 0}), question));
    EXPECT_FALSE(matches(make_rule({SubjectKind::Folder, "/home/use", "", "", 0}), question));
    EXPECT_TRUE(matches(make_rule({SubjectKind::Label, "finance", "", "", 0}), question));
    EXPECT_FALSE(matches(make_rule({SubjectKind::Label, "health", "", "", 0}), question));
}

TEST(Rule, MatchesByPeerAndProgram)
{
    const Question question = make_question();
    EXPECT_TRUE(matches(make_rule({.subject = "", .executable = "/usr/bin/curl", .host = ""}), question));
    EXPECT_FALSE(matches(make_rule({.subject = "", .executable = "/usr/bin/wget", .host = ""}), question));
    for (const char* host : {"192.0.2.7", "www.example.org", "*.example.org"})
        EXPECT_TRUE(matches(make_rule({.subject = "", .executable = "", .host = host}), question)) << host;
    for (const char* host : {"192.0.2.8", "example.org", "*.ample.org", "*.www.example.org"})
        EXPECT_FALSE(matches(make_rule({.subject = "", .executable = "", .host = host}), question)) << host;
    EXPECT_TRUE(matches(make_rule({.subject = "", .executable = "", .host = "", .port = 443}), question));
    EXPECT_FALSE(matches(make_rule({.subject = "", .executable = "", .host = "", .port = 80}), question));
}

TEST(Rule, AboutChangesIsNotAboutSending)
{
    Question question = make_question();
    RuleScope changes{SubjectKind::File, question.file, "", "", 0, Sink::Marked};
    EXPECT_FALSE(matches(make_rule(changes, Verdict::Allow), question));
    question.sink = Sink::Marked;
    question.target = question.file;
    EXPECT_TRUE(matches(make_rule(changes, Verdict::Allow), question));
    EXPECT_FALSE(matches(make_rule({}, Verdict::Allow), question));
    EXPECT_TRUE(validate(Verdict::Allow, Sink::Marked));
    EXPECT_EQ(validate(Verdict::Scrub, Sink::Marked).error().code, ErrorCode::InvalidVerdict);
    EXPECT_TRUE(validate(Verdict::Scrub, Sink::Network));
    EXPECT_TRUE(validate(changes));
    changes.host = "192.0.2.7";
    EXPECT_EQ(validate(changes).error().code, ErrorCode::InvalidScope);
}

TEST(Rule, OfAnotherPersonDoesNotMatchAndRootsDoes)
{
    Rule rule = make_rule({});
    rule.owner = 1001;
    EXPECT_FALSE(matches(rule, make_question()));
    rule.owner = 0;
    EXPECT_TRUE(matches(rule, make_question()));
}

TEST(Rule, OfAProcessDiesWithItsStartTime)
{
    Rule rule = make_rule({});
    rule.lifetime.duration = Duration::Process;
    rule.lifetime.process = {42, BootTime(7)};
    EXPECT_TRUE(matches(rule, make_question()));
    rule.lifetime.process.start = BootTime(8);
    EXPECT_FALSE(matches(rule, make_question()));
}

TEST(Rule, PermissionMustCoverAllThatIsSent)
{
    Question question = make_question();
    question.categories = {"finance", "keys"};
    question.label_within_file = false;
    const RuleScope label{SubjectKind::Label, "finance", "", "", 0};
    const RuleScope file{SubjectKind::File, question.file, "", "", 0};
    EXPECT_FALSE(matches(make_rule(label, Verdict::Allow), question));
    EXPECT_FALSE(matches(make_rule(file, Verdict::Allow), question));
    EXPECT_TRUE(matches(make_rule(label, Verdict::Block), question));
    EXPECT_TRUE(matches(make_rule(file, Verdict::Scrub), question));
    EXPECT_TRUE(matches(make_rule(file, Verdict::Takeover), question));
}

Question question_about(Sink sink, const std::string& target)
{
    Question question = make_question();
    question.sink = sink;
    question.address = question.host = "";
    question.port = 0;
    question.target = target;
    return question;
}

RuleScope scope_about(Sink sink, const std::string& host)
{
    return {.subject = "", .executable = "", .host = host, .sink = sink};
}

TEST(Rule, FileAndDeviceSinksMatchByPathOnly)
{
    const Question question = question_about(Sink::File, "/media/stick/copy.csv");
    EXPECT_TRUE(matches(make_rule(scope_about(Sink::File, "/media/stick")), question));
    EXPECT_TRUE(matches(make_rule(scope_about(Sink::File, "/media/stick/copy.csv")), question));
    EXPECT_FALSE(matches(make_rule(scope_about(Sink::File, "/media/other")), question));
    EXPECT_FALSE(matches(make_rule(scope_about(Sink::Device, "/media/stick")), question));
}

TEST(Rule, IsAboutOneKindOfDestination)
{
    const std::vector<Sink> sinks{Sink::Network, Sink::File, Sink::Device, Sink::Other, Sink::Marked};
    for (const Sink ruled : sinks) {
        for (const Sink asked : sinks) {
            const Question question = asked == Sink::Network ? make_question() : question_about(asked, "/media/stick/copy.csv");
            EXPECT_EQ(matches(make_rule(scope_about(ruled, ""), Verdict::Allow), question), ruled == asked)
                << to_string(ruled) << " " << to_string(asked);
        }
    }
}

TEST(Scope, HasTheHostOfItsSink)
{
    EXPECT_TRUE(validate(scope_about(Sink::Device, "/dev/ttyS0")));
    EXPECT_TRUE(validate(scope_about(Sink::File, "/media/stick/")));
    EXPECT_EQ(validate(scope_about(Sink::File, "/media/stick/"))->host, "/media/stick");
    for (const auto& [sink, host] : {std::pair{Sink::Network, "/dev/ttyS0"}, std::pair{Sink::Device, "192.0.2.7"},
                                     std::pair{Sink::File, "stick"}, std::pair{Sink::Other, "socket"}})
        EXPECT_EQ(validate(scope_about(sink, host)).error().code, ErrorCode::InvalidScope) << host;
    RuleScope port = scope_about(Sink::Device, "/dev/ttyS0");
    port.port = 80;
    EXPECT_EQ(validate(port).error().code, ErrorCode::InvalidScope);
}

struct Pair {
    RuleScope winner;
    RuleScope loser;
};

class Specificity : public testing::TestWithParam<Pair> {};

TEST_P(Specificity, TheMoreSpecificDecidesWhateverItSays)
{
    const FakeClock clock;
    for (const Verdict verdict : {Verdict::Allow, Verdict::Block}) {
        const Verdict other = verdict == Verdict::Allow ? Verdict::Block : Verdict::Allow;
        const std::vector<Rule> rules{make_rule(GetParam().loser, other, 1), make_rule(GetParam().winner, verdict, 2)};
        const Rule* deciding = find_deciding(rules, make_question(), clock);
        ASSERT_NE(deciding, nullptr);
        EXPECT_EQ(deciding->id, 2U);
    }
}

const RuleScope any;
const RuleScope by_label{SubjectKind::Label, "finance", "", "", 0};
const RuleScope by_folder{SubjectKind::Folder, "/home/user", "", "", 0};
const RuleScope by_deeper_folder{SubjectKind::Folder, "/home/user/Documents", "", "", 0};
const RuleScope by_file{SubjectKind::File, "/home/user/Documents/salaries.csv", "", "", 0};
const RuleScope by_program{SubjectKind::Any, "", "/usr/bin/curl", "", 0};
const RuleScope by_host{SubjectKind::Any, "", "", "www.example.org", 0};
const RuleScope by_domain{SubjectKind::Any, "", "", "*.example.org", 0};
const RuleScope by_port{SubjectKind::Any, "", "", "", 443};

INSTANTIATE_TEST_SUITE_P(Orders, Specificity,
                         testing::Values(Pair{by_label, any}, Pair{by_folder, by_label}, Pair{by_deeper_folder, by_folder},
                                         Pair{by_file, by_deeper_folder}, Pair{by_label, by_program}, Pair{by_program, by_host},
                                         Pair{by_host, by_domain}, Pair{by_domain, by_port}, Pair{by_port, any}));

TEST(Rule, OfTwoAlikeTheStricterDecides)
{
    const FakeClock clock;
    for (const auto& [strict, mild] : {std::pair{Verdict::Block, Verdict::Quit}, std::pair{Verdict::Quit, Verdict::Takeover},
                                       std::pair{Verdict::Takeover, Verdict::Scrub}, std::pair{Verdict::Scrub, Verdict::Allow}}) {
        const std::vector<Rule> rules{make_rule(by_file, strict, 1), make_rule(by_file, mild, 2)};
        EXPECT_EQ(find_deciding(rules, make_question(), clock)->verdict, strict);
    }
}

TEST(Lifetime, RunsOnBoottimeAndThusAcrossSuspend)
{
    FakeClock clock;
    const RuleLifetime lifetime = make_lifetime(Duration::Minutes15, clock, {});
    clock.now += std::chrono::minutes(14);
    EXPECT_FALSE(has_ended(lifetime, clock));
    EXPECT_EQ(estimate_end(lifetime, clock), clock.realtime() + 60);
    clock.now += std::chrono::minutes(1);
    EXPECT_TRUE(has_ended(lifetime, clock));
}

TEST(Lifetime, EndsWithTheBootExceptAlways)
{
    FakeClock clock;
    for (const Duration duration : {Duration::Minutes15, Duration::Hour, Duration::Reboot, Duration::Process, Duration::Always}) {
        clock.boot = "first-boot";
        const RuleLifetime lifetime = make_lifetime(duration, clock, {42, BootTime(7)});
        EXPECT_FALSE(has_ended(lifetime, clock));
        clock.boot = "second-boot";
        EXPECT_EQ(has_ended(lifetime, clock), duration != Duration::Always);
    }
}

TEST(Lifetime, EndedRuleIsPassedOver)
{
    FakeClock clock;
    std::vector<Rule> rules{make_rule(by_file), make_rule(any, Verdict::Allow, 2)};
    rules[0].lifetime = make_lifetime(Duration::Hour, clock, {});
    EXPECT_EQ(find_deciding(rules, make_question(), clock)->id, 1U);
    clock.now += std::chrono::hours(2);
    EXPECT_EQ(find_deciding(rules, make_question(), clock)->id, 2U);
}

TEST(Scope, IsNormalized)
{
    const auto scope = validate({SubjectKind::Folder, "/home/user/", "/usr/bin/curl", "WWW.Example.ORG", 0});
    ASSERT_TRUE(scope);
    EXPECT_EQ(scope->subject, "/home/user");
    EXPECT_EQ(scope->host, "www.example.org");
    EXPECT_EQ(validate({.subject = "", .executable = "", .host = "2001:DB8:0::1"})->host, "2001:db8::1");
}

TEST(Scope, BadOnesAreRefused)
{
    const std::vector<RuleScope> bad{
        {SubjectKind::Any, "/x", "", "", 0},     {SubjectKind::Label, "nothing", "", "", 0},
        {SubjectKind::File, "x", "", "", 0},     {SubjectKind::File, "", "", "", 0},
        {SubjectKind::Any, "", "curl", "", 0},   {SubjectKind::Any, "", "", "a b", 0},
        {SubjectKind::Any, "", "", "a/b", 0},    {SubjectKind::Any, "", "", "\n", 0},
        {SubjectKind::File, "/\xff", "", "", 0}, {SubjectKind::Any, "", "", std::string(300, 'a'), 0},
    };
    for (const RuleScope& scope : bad) {
        const auto validated = validate(scope);
        ASSERT_FALSE(validated) << scope.subject << scope.executable << scope.host;
        EXPECT_EQ(validated.error().code, ErrorCode::InvalidScope);
    }
}

TEST(Question, IsForThePersonBehindIt)
{
    EXPECT_EQ(question_owner(Sink::Network, 1000, 1001), 1000U);
    EXPECT_EQ(question_owner(Sink::Network, 0, 1001), 1001U);
    EXPECT_EQ(question_owner(Sink::Network, 33, 1001), 1001U);
    EXPECT_EQ(question_owner(Sink::Network, 65534, 1001), 1001U);
    EXPECT_EQ(question_owner(Sink::Network, 61184, 1001), 1001U);
    EXPECT_EQ(question_owner(Sink::Marked, 1000, 1001), 1001U);
    EXPECT_EQ(question_owner(Sink::Marked, 1000, 0), 1000U);
}

TEST(Rule, OddPathsAreNoNames)
{
    for (const char* path :
         {"/tmp/../etc/passwd", "/tmp/./x", "//tmp/x", "/tmp//x", "/tmp/x/", "/proc/1/root/etc/passwd", "/proc", "/"}) {
        RuleScope scope;
        scope.subject_kind = SubjectKind::File;
        scope.subject = path;
        EXPECT_FALSE(validate(scope)) << path;
        scope = {};
        scope.executable = path;
        EXPECT_FALSE(validate(scope)) << path;
    }
    RuleScope host;
    host.sink = Sink::File;
    host.host = "/media/../etc";
    EXPECT_FALSE(validate(host));
    host.host = "/proc/sys/kernel/core_pattern";
    EXPECT_TRUE(validate(host));
    RuleScope folder;
    folder.subject_kind = SubjectKind::Folder;
    folder.subject = "/home/anna/";
    ASSERT_TRUE(validate(folder));
    EXPECT_EQ(validate(folder)->subject, "/home/anna");
    folder.subject = "/";
    EXPECT_TRUE(validate(folder));
}

TEST(Rule, IsASentenceThatNamesAppDataHostAndTime)
{
    RuleScope scope;
    scope.subject_kind = SubjectKind::File;
    scope.subject = "/home/anna/salaries.csv";
    scope.executable = "/usr/bin/curl";
    scope.host = "192.0.2.7";
    scope.port = 443;
    EXPECT_EQ(describe(Verdict::Allow, scope, Duration::Always),
              "/usr/bin/curl may send /home/anna/salaries.csv to 192.0.2.7, port 443, always");
    EXPECT_EQ(describe(Verdict::Allow, {}, Duration::Always), "any program may send any sensitive data to any host, always");
    EXPECT_EQ(describe(Verdict::Allow, scope_about(Sink::Device, "/dev/ttyS0"), Duration::Always),
              "any program may send any sensitive data to the device /dev/ttyS0, always");
    EXPECT_EQ(describe(Verdict::Allow, scope_about(Sink::File, "/media/stick"), Duration::Always),
              "any program may send any sensitive data to the file or folder /media/stick, always");
    EXPECT_EQ(describe(Verdict::Block, scope_about(Sink::Other, ""), Duration::Always),
              "any program may not send any sensitive data over any connection that cannot be followed, always");
    scope = {};
    scope.subject_kind = SubjectKind::Label;
    scope.subject = "finance";
    scope.sink = Sink::Marked;
    EXPECT_EQ(describe(Verdict::Block, scope, Duration::Reboot),
              "any program may not change sensitive data of the category finance, until the computer restarts");
}

} // namespace
} // namespace tacet
