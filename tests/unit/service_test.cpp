// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to a question, a rule, a pause.
#include "service_fixture.h"

namespace tacet {
namespace {

class WithAgent : public Service {
protected:
    WithAgent() { world.agents.users.insert(1000); }
};

TEST_F(WithAgent, PersonAnswers)
{
    ask(1);
    ASSERT_THAT(world.agents.asked, SizeIs(1));
    EXPECT_EQ(world.agents.asked[0].parent, "bash");
    EXPECT_THAT(world.kernel.verdicts, IsEmpty());
    const auto answered = answer(1, Verdict::Scrub);
    ASSERT_TRUE(answered);
    EXPECT_EQ(answered->rule, 0U);
    EXPECT_EQ(answered->resolved, 1U);
    EXPECT_EQ(last_verdict().verdict, Verdict::Scrub);
    EXPECT_EQ(last_verdict().scope, CacheScope::Flow);
    EXPECT_THAT(log_kinds(), ElementsAre("answered:scrub"));
    EXPECT_THAT(world.agents.withdrawn, ElementsAre(std::pair(QuestionId{1}, std::string("answered"))));
}

TEST_F(WithAgent, RuleAnswersWithoutAsking)
{
    ASSERT_TRUE(add_rule({Verdict::Block, Duration::Hour, {}}));
    ask(1);
    EXPECT_THAT(world.agents.asked, IsEmpty());
    EXPECT_EQ(last_verdict().verdict, Verdict::Block);
    EXPECT_EQ(last_verdict().scope, CacheScope::Process);
    EXPECT_EQ(last_verdict().until, world.clock.now + 1h);
    EXPECT_THAT(log_kinds(), ElementsAre("rule:block"));
}

TEST_F(WithAgent, VerdictThatDependsOnTheFileIsNotCachedForTheProcess)
{
    ask(1);
    ASSERT_TRUE(answer(1, Verdict::Block, Duration::Process));
    EXPECT_EQ(last_verdict().scope, CacheScope::Flow);
    ask(2);
    EXPECT_EQ(last_verdict().question, 2U);
    EXPECT_EQ(last_verdict().scope, CacheScope::File);
}

TEST_F(WithAgent, RuleForAllFilesIsCachedForEachOfThemWhereAnotherIsForOne)
{
    ScopeRequest one;
    one.subject_kind = SubjectKind::File;
    one.subject = "/home/user/other.csv";
    ASSERT_TRUE(add_rule({Verdict::Allow, Duration::Hour, {}}));
    ASSERT_TRUE(add_rule({Verdict::Block, Duration::Hour, one}));
    ask(1);
    EXPECT_EQ(last_verdict().verdict, Verdict::Allow);
    EXPECT_EQ(last_verdict().scope, CacheScope::File);
}

TEST_F(WithAgent, WhatAServiceMaySendIsCachedForEachFile)
{
    ASSERT_TRUE(add_rule({Verdict::Block, Duration::Hour, {}}));
    Question question = make_question(1);
    question.uid = 33;
    question.file = label_file("file");
    question.origin = identity(question.file);
    world.kernel.ask(question);
    EXPECT_EQ(last_verdict().scope, CacheScope::File);
}

TEST_F(WithAgent, DecisionsAreLoggedThoughTheDaemonEnds)
{
    ask(1);
    ASSERT_TRUE(answer(1, Verdict::Block));
    stop();
    start();
    EXPECT_THAT(log_kinds(), ElementsAre("answered:block"));
}

TEST_F(WithAgent, HitsOfRulesOutliveARestart)
{
    ASSERT_TRUE(add_rule({Verdict::Block, Duration::Always, {}}));
    ask(1);
    ask(2);
    EXPECT_EQ(rules().at(0).rule.hits, 2U);
    stop();
    start();
    EXPECT_EQ(rules().at(0).rule.hits, 2U);
}

TEST_F(WithAgent, ProcessRuleEndsWithTheProcess)
{
    ask(1);
    ScopeRequest scope;
    scope.subject_kind = SubjectKind::Any;
    ASSERT_TRUE(answer(1, Verdict::Block, Duration::Process, scope));
    EXPECT_EQ(last_verdict().until, BootTime::zero());
    ask(2);
    EXPECT_EQ(last_verdict().question, 2U);
    world.processes.dead.insert({42, BootTime(7)});
    advance(61s);
    EXPECT_THAT(rules(), IsEmpty());
    ask(3);
    EXPECT_EQ(last_verdict().question, 2U);
}

TEST_F(WithAgent, TemporaryRuleSurvivesTheDaemonButNotTheBoot)
{
    ASSERT_TRUE(add_rule({Verdict::Block, Duration::Hour, {}}));
    stop();
    world.clock.now += 10min;
    start();
    EXPECT_THAT(rules(), SizeIs(1));
    stop();
    world.clock.boot = "second-boot";
    world.clock.now = 1min;
    start();
    EXPECT_THAT(rules(), IsEmpty());
}

TEST_F(WithAgent, RuleEndsOnTime)
{
    ASSERT_TRUE(add_rule({Verdict::Block, Duration::Minutes15, {}}));
    advance(15min);
    EXPECT_THAT(rules(), IsEmpty());
    ask(1);
    EXPECT_THAT(world.agents.asked, SizeIs(1));
}

TEST_F(WithAgent, RuleChangeFlushesAndDecidesWhatWaits)
{
    ask(1);
    const unsigned before = world.kernel.flushes;
    const auto rule = add_rule({Verdict::Block, Duration::Always, {}});
    ASSERT_TRUE(rule);
    EXPECT_GT(world.kernel.flushes, before);
    EXPECT_EQ(last_verdict().question, 1U);
    EXPECT_THAT(world.agents.withdrawn, ElementsAre(std::pair(QuestionId{1}, std::string("rule"))));

    running->daemon.services().rules.remove(user, *rule, [](const Result<void>& removed) { EXPECT_TRUE(removed); });
    EXPECT_GT(world.kernel.flushes, before + 1);
    ask(2);
    EXPECT_THAT(questions(), SizeIs(1));
}

TEST_F(WithAgent, AnswerSettlesLikeOnesAndWhatItsRuleCovers)
{
    ask(1);
    ask(2);
    Question wget = make_question(3);
    wget.executable = "/usr/bin/wget";
    world.kernel.ask(wget);
    ScopeRequest scope;
    scope.executable = "";
    const auto answered = answer(1, Verdict::Block, Duration::Always, scope);
    ASSERT_TRUE(answered) << answered.error().message;
    EXPECT_EQ(answered->resolved, 3U);
    EXPECT_THAT(world.kernel.verdicts, SizeIs(3));
    EXPECT_THAT(questions(), IsEmpty());
}

TEST_F(WithAgent, LastingAnswerIsRefusedWithoutAuthority)
{
    world.authority.allowed.erase("org.tacet.tacet1.rule");
    ask(1);
    EXPECT_EQ(answer(1, Verdict::Allow, Duration::Always).error().code, ErrorCode::AccessDenied);
    EXPECT_THAT(questions(), SizeIs(1));
    EXPECT_THAT(rules(), IsEmpty());
    EXPECT_TRUE(answer(1, Verdict::Allow, Duration::Minutes15));
}

// The module counts its questions from 1 when it is loaded anew, while polkit still waits for the person's password.
class AfterReload : public WithAgent {
public:
    // Answers question 1, puts `next` into its place before polkit decides, and returns what the answer got.
    Result<Answered> answer_meets(const Question& next)
    {
        world.authority.held = true;
        ask(1);
        Result<Answered> outcome = Error{ErrorCode::Failed, "no reply"};
        running->daemon.services().breaches.answer(user, {1, Verdict::Block, Duration::Always, {}},
                                                   [&](Result<Answered> reply) { outcome = std::move(reply); });
        EXPECT_THAT(world.authority.waiting, SizeIs(1));
        world.kernel.enter(ModuleState::Absent);
        world.kernel.enter(ModuleState::Active);
        world.kernel.ask(next);
        world.authority.decide();
        return outcome;
    }
};

TEST_F(AfterReload, AnswerThatDoesNotFitTheNextQuestionIsRefused)
{
    Question next = make_question(1);
    next.file.clear();
    const auto outcome = answer_meets(next);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::InvalidScope);
    EXPECT_THAT(rules(), IsEmpty());
    EXPECT_THAT(questions(), SizeIs(1));
}

TEST_F(AfterReload, AnswerIsNotForTheQuestionOfAnother)
{
    Question next = make_question(1);
    next.uid = user.uid + 1;
    const auto outcome = answer_meets(next);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::NoSuchQuestion);
    EXPECT_THAT(rules(), IsEmpty());
}

TEST_F(WithAgent, OthersCannotAnswerAndRootCan)
{
    ask(1);
    EXPECT_EQ(answer(1, Verdict::Allow, Duration::Once, {}, other).error().code, ErrorCode::NoSuchQuestion);
    EXPECT_TRUE(answer(1, Verdict::Allow, Duration::Once, {}, root));
}

TEST_F(WithAgent, ExpiredQuestionIsBlockedAndLoggedOnce)
{
    ask(1);
    advance(60s);
    EXPECT_EQ(last_verdict().verdict, Verdict::Block);
    world.kernel.on_event(Missed{make_question(1)});
    EXPECT_THAT(log_kinds(), ElementsAre("missed:block"));
}

TEST_F(WithAgent, KernelsTimeOutFirstIsLoggedOnceToo)
{
    ask(1);
    world.kernel.on_event(Missed{make_question(1)});
    advance(61s);
    EXPECT_THAT(log_kinds(), ElementsAre("missed:block"));
    EXPECT_THAT(world.agents.withdrawn, ElementsAre(std::pair(QuestionId{1}, std::string("expired"))));
}

TEST_F(WithAgent, KernelThatWithdrawsBeforeItTellsTheTimeOutIsLoggedOnceToo)
{
    ask(1);
    Notice notice;
    notice.id = 1;
    notice.reason = "no answer in time";
    world.kernel.on_event(notice);
    world.kernel.on_event(Missed{make_question(1)});
    advance(61s);
    EXPECT_THAT(log_kinds(), ElementsAre("missed:block"));
}

TEST_F(WithAgent, QuestionSettledByTheVerdictOnAnotherIsLogged)
{
    ask(1);
    Notice notice;
    notice.id = 1;
    notice.reason = "settled by another answer";
    world.kernel.on_event(notice);
    EXPECT_THAT(log_kinds(), ElementsAre("answered:"));
    EXPECT_THAT(world.agents.withdrawn, ElementsAre(std::pair(QuestionId{1}, std::string("answered"))));
}

TEST_F(Service, WhatWasBlockedWithoutADaemonIsLogged)
{
    world.kernel.on_event(Missed{make_question(0)});
    world.kernel.on_event(Missed{make_question(0)});
    EXPECT_THAT(log_kinds(), ElementsAre("missed:block", "missed:block"));
}

TEST_F(WithAgent, WithdrawnQuestionGivesItsPromptToTheNextAlike)
{
    ask(1);
    ask(2);
    Notice notice;
    notice.id = 1;
    world.kernel.on_event(notice);
    ASSERT_THAT(world.agents.asked, SizeIs(2));
    EXPECT_EQ(world.agents.asked[1].id, 2U);
    EXPECT_EQ(answer(1, Verdict::Allow).error().code, ErrorCode::NoSuchQuestion);
}

TEST_F(WithAgent, ModuleThatGoesTakesItsQuestionsAlong)
{
    ask(1);
    world.kernel.enter(ModuleState::Absent);
    EXPECT_THAT(questions(), IsEmpty());
    EXPECT_THAT(world.agents.withdrawn, ElementsAre(std::pair(QuestionId{1}, std::string("gone"))));
}

TEST_F(WithAgent, QuestionDeliveredAgainIsAskedOnce)
{
    ask(1);
    ask(1);
    EXPECT_THAT(world.agents.asked, SizeIs(1));
}

TEST_F(WithAgent, KilledDaemonGetsTheQuestionAgain)
{
    ask(1);
    stop();
    start();
    ask(1);
    EXPECT_TRUE(answer(1, Verdict::Block));
}

TEST_F(WithAgent, ChangedBinaryIsTold)
{
    ask(1);
    EXPECT_FALSE(world.agents.asked.back().binary_changed);
    ASSERT_TRUE(answer(1, Verdict::Allow));
    ask(2);
    EXPECT_FALSE(world.agents.asked.back().binary_changed);
    ASSERT_TRUE(answer(2, Verdict::Allow));
    world.facts.fingerprint = "second";
    ask(3);
    EXPECT_TRUE(world.agents.asked.back().binary_changed);
}

TEST_F(WithAgent, SystemProcessIsTheFileOwnersQuestion)
{
    Question question = make_question(1);
    question.uid = 33;
    question.file = label_file("file");
    question.origin = identity(question.file);
    world.kernel.ask(question);
    ASSERT_THAT(world.agents.asked, SizeIs(1));
    EXPECT_EQ(world.agents.asked[0].uid, 33U);
    EXPECT_EQ(world.agents.asked[0].owner, 1000U);
}

TEST_F(WithAgent, NothingIsScrubbedWithoutADoppelganger)
{
    Question question = make_question(1);
    question.tainted = true;
    world.kernel.ask(question);
    EXPECT_EQ(answer(1, Verdict::Scrub).error().code, ErrorCode::InvalidVerdict);
    EXPECT_THAT(questions(), SizeIs(1));
}

TEST_F(WithAgent, ProgramGoesOnWithTheScrubbedCopyWhereItCan)
{
    Question question = make_question(1);
    question.can_take_over = true;
    world.kernel.ask(question);
    ASSERT_TRUE(answer(1, Verdict::Takeover));
    EXPECT_EQ(last_verdict().verdict, Verdict::Takeover);
    EXPECT_THAT(log_kinds(), ElementsAre("answered:takeover"));
    ask(2);
    EXPECT_EQ(answer(2, Verdict::Takeover).error().code, ErrorCode::InvalidVerdict);
    EXPECT_THAT(questions(), SizeIs(1));
}

TEST_F(WithAgent, ProgramThatMayChangeAFileMayNotSendIt)
{
    Question question = make_question(1);
    question.sink = Sink::Marked;
    question.target = question.file;
    world.kernel.ask(question);
    for (const Verdict verdict : {Verdict::Scrub, Verdict::Takeover})
        EXPECT_EQ(answer(1, verdict).error().code, ErrorCode::InvalidVerdict);
    ScopeRequest scope;
    scope.subject_kind = SubjectKind::Any;
    const auto answered = answer(1, Verdict::Allow, Duration::Always, scope);
    ASSERT_TRUE(answered) << answered.error().message;
    ASSERT_THAT(rules(), SizeIs(1));
    EXPECT_EQ(rules()[0].rule.scope.sink, Sink::Marked);
    EXPECT_EQ(rules()[0].rule.scope.host, "");

    stop();
    start();
    question.id = 2;
    world.kernel.ask(question);
    EXPECT_EQ(last_verdict().question, 2U);
    EXPECT_EQ(last_verdict().verdict, Verdict::Allow);
    ask(3);
    EXPECT_EQ(last_verdict().question, 2U);
    EXPECT_THAT(questions(), SizeIs(1));
}

TEST_F(WithAgent, LastingAnswerAboutAFileOrDeviceIsAboutThatOne)
{
    QuestionId id = 1;
    for (const auto& [sink, target] : {std::pair{Sink::File, "/media/stick/copy.csv"}, std::pair{Sink::Device, "/dev/ttyS0"}}) {
        Question question = make_question(id++);
        question.sink = sink;
        question.address = "";
        question.port = 0;
        question.target = target;
        world.kernel.ask(question);
        for (const char* wider : {"", "/", "/elsewhere"}) {
            ScopeRequest scope;
            scope.host = wider;
            EXPECT_EQ(answer(question.id, Verdict::Allow, Duration::Always, scope).error().code, ErrorCode::InvalidScope)
                << wider;
        }
        ScopeRequest other;
        other.sink = Sink::Network;
        other.host = "";
        EXPECT_EQ(answer(question.id, Verdict::Allow, Duration::Always, other).error().code, ErrorCode::InvalidScope);
        const auto answered = answer(question.id, Verdict::Allow, Duration::Always);
        ASSERT_TRUE(answered) << answered.error().message;
        EXPECT_EQ(rules().back().rule.scope.sink, sink);
        EXPECT_EQ(rules().back().rule.scope.host, target);
        question.id = id++;
        question.target += "2";
        world.kernel.ask(question);
        EXPECT_THAT(questions(), SizeIs(1));
        ASSERT_TRUE(answer(question.id, Verdict::Block));
    }
    ask(id);
    EXPECT_THAT(questions(), SizeIs(1));
}

TEST_F(WithAgent, RuleAboutChangesHasNoScrubbedCopy)
{
    ScopeRequest scope;
    scope.sink = Sink::Marked;
    EXPECT_EQ(add_rule({Verdict::Scrub, Duration::Always, scope}).error().code, ErrorCode::InvalidVerdict);
    EXPECT_TRUE(add_rule({Verdict::Block, Duration::Always, scope}));
}

TEST_F(WithAgent, PersonWhoReadsIsGivenTimeWithTheKernel)
{
    ask(1);
    ask(2); // behind the same prompt
    advance(59s);
    ASSERT_THAT(extend(1), testing::Optional(world.clock.now + 10min));
    EXPECT_THAT(world.kernel.extended, ElementsAre(testing::Key(1), testing::Key(2)));
    EXPECT_EQ(questions()[0].deadline, world.clock.now + 10min);
    advance(9min);
    EXPECT_THAT(world.kernel.verdicts, IsEmpty());
    advance(61s);
    EXPECT_EQ(last_verdict().verdict, Verdict::Block);
    EXPECT_THAT(questions(), IsEmpty());
    EXPECT_EQ(extend(1), std::nullopt);
}

TEST_F(WithAgent, StrangerGivesNobodyTime)
{
    ask(1);
    EXPECT_EQ(extend(1, other), std::nullopt);
    world.authority.allowed.clear();
    EXPECT_EQ(extend(1), std::nullopt);
    EXPECT_THAT(world.kernel.extended, IsEmpty());
}

TEST_F(WithAgent, NothingOfAPrivateSessionIsKept)
{
    Question question = make_question(1);
    question.in_session = true;
    world.kernel.ask(question);
    EXPECT_EQ(answer(1, Verdict::Allow, Duration::Always).error().code, ErrorCode::InvalidDuration);
    EXPECT_EQ(answer(1, Verdict::Allow, Duration::Minutes15).error().code, ErrorCode::InvalidDuration);
    const auto answered = answer(1, Verdict::Allow, Duration::Process);
    ASSERT_TRUE(answered);
    EXPECT_EQ(answered->rule, 0U);
    EXPECT_EQ(last_verdict().scope, CacheScope::Process);
    EXPECT_THAT(rules(), IsEmpty());
    question.id = 2;
    world.kernel.ask(question);
    advance(2min);
    EXPECT_THAT(questions(), IsEmpty());
    EXPECT_THAT(log_kinds(), IsEmpty());
}

// The kernel gets the verdict as it is, for what it may be asked later; the log tells what became of it now.
TEST_F(WithAgent, RuleToTakeOverSendsTheCopyWhereThatCannotBe)
{
    ASSERT_TRUE(add_rule({Verdict::Takeover, Duration::Hour, {}}));
    Question question = make_question(1);
    question.can_take_over = true;
    world.kernel.ask(question);
    ask(2);
    EXPECT_THAT(log_kinds(), ElementsAre("rule:takeover", "rule:scrub"));
    EXPECT_EQ(last_verdict().verdict, Verdict::Takeover);
}

TEST_F(WithAgent, PauseLetsPassUntilItEnds)
{
    running->daemon.services().protection.pause(user, 5, [](const Result<UnixTime>& until) { EXPECT_TRUE(until); });
    ask(1);
    EXPECT_EQ(last_verdict().verdict, Verdict::Allow);
    EXPECT_THAT(log_kinds(), ElementsAre("paused:", "paused:allow"));
    const unsigned flushes = world.kernel.flushes;
    advance(5min);
    EXPECT_EQ(world.kernel.flushes, flushes + 1);
    ask(2);
    EXPECT_THAT(questions(), SizeIs(1));
}

TEST_F(WithAgent, PauseLetsPassWhatWaits)
{
    ask(1);
    ask(2);
    running->daemon.services().protection.pause(user, 5, [](const Result<UnixTime>& until) { EXPECT_TRUE(until); });
    EXPECT_THAT(questions(), IsEmpty());
    EXPECT_THAT(world.kernel.verdicts, SizeIs(2));
    EXPECT_EQ(last_verdict().verdict, Verdict::Allow);
    EXPECT_THAT(log_kinds(), ElementsAre("paused:", "paused:allow", "paused:allow"));
}

TEST_F(WithAgent, RestartEndsThePause)
{
    running->daemon.services().protection.pause(user, 60, [](const Result<UnixTime>&) {});
    stop();
    start();
    ask(1);
    EXPECT_THAT(questions(), SizeIs(1));
}

TEST_F(Service, WithoutAgentItIsBlockedAfterFiveSeconds)
{
    ask(1);
    advance(4s);
    EXPECT_THAT(world.kernel.verdicts, IsEmpty());
    advance(1s);
    EXPECT_EQ(last_verdict().verdict, Verdict::Block);
    EXPECT_THAT(log_kinds(), ElementsAre("missed:block"));
}

TEST_F(Service, AgentThatComesInTimeIsAsked)
{
    ask(1);
    advance(4s);
    ASSERT_TRUE(world.agents.add(user, "/agent"));
    advance(10s);
    EXPECT_THAT(world.agents.asked, SizeIs(1));
    EXPECT_THAT(questions(), SizeIs(1));
}

TEST_F(Service, AgentThatLeavesHasFiveSecondsToComeBack)
{
    ASSERT_TRUE(world.agents.add(user, "/agent"));
    ask(1);
    world.agents.remove(user);
    advance(4s);
    EXPECT_THAT(questions(), SizeIs(1));
    advance(1s);
    EXPECT_THAT(questions(), IsEmpty());
}

TEST_F(Service, AgentOfSomebodyElseDoesNotCount)
{
    ASSERT_TRUE(world.agents.add(other, "/agent"));
    ask(1);
    advance(5s);
    EXPECT_THAT(world.agents.asked, IsEmpty());
    EXPECT_EQ(last_verdict().verdict, Verdict::Block);
}

TEST_F(Service, LastingRulesAreRefusedBesideADamagedStore)
{
    stop();
    world.directory.write("tacet.db", std::string(8192, 'x'));
    std::filesystem::remove(world.directory / "tacet.db-wal");
    start();
    EXPECT_EQ(add_rule({Verdict::Block, Duration::Always, {}}).error().code, ErrorCode::StoreDamaged);
    EXPECT_TRUE(add_rule({Verdict::Block, Duration::Hour, {}}));
}

TEST_F(Service, RulesOfAPersonAreBounded)
{
    for (std::uint16_t port = 1; port <= RuleBook::per_owner_max; ++port) {
        ScopeRequest scope;
        scope.port = port;
        ASSERT_TRUE(add_rule({Verdict::Block, Duration::Always, scope}));
    }
    const std::size_t asked = world.authority.asked.size();
    EXPECT_EQ(add_rule({Verdict::Allow, Duration::Always, {}}).error().code, ErrorCode::TooMany);
    // Nobody is asked for a password in vain.
    EXPECT_THAT(world.authority.asked, SizeIs(asked));
    EXPECT_TRUE(add_rule({Verdict::Allow, Duration::Always, {}}, other));
}

TEST_F(WithAgent, DialogForAPasswordNamesAppAndRule)
{
    ask(1);
    ASSERT_TRUE(answer(1, Verdict::Allow, Duration::Always));
    const Details details = world.authority.told.back();
    EXPECT_EQ(details.at("app"), "/usr/bin/curl");
    EXPECT_EQ(details.at("rule"), "/usr/bin/curl may send /home/user/salaries.csv to 192.0.2.7, port 80, always");
    EXPECT_THAT(details.at("polkit.message"), testing::HasSubstr(details.at("rule")));
    running->daemon.services().rules.remove(user, rules()[0].rule.id, [](const Result<void>& removed) { EXPECT_TRUE(removed); });
    EXPECT_THAT(world.authority.told.back().at("polkit.message"), testing::HasSubstr("remove this rule"));
}

} // namespace
} // namespace tacet
