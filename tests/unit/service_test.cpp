// SPDX-License-Identifier: GPL-3.0-or-later
// The whole daemon but kernel and bus: what happens to a question, a label, a rule.
#include <gmock/gmock.h>

#include <sys/stat.h>

#include "fakes.h"
#include "kernel_link/simulated_link.h"
#include "service/daemon.h"
#include "temporary_directory.h"

namespace tacet {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using namespace std::chrono_literals;

const Caller user{":1.5", 1000, 50, {}};
const Caller other{":1.6", 1001, 51, {}};
const Caller root{":1.7", 0, 52, {}};

// What outlives the daemon.
struct World {
    FakeClock clock;
    SimulatedLink kernel;
    FakeAuthority authority;
    FakeAgents agents;
    FakeSignals signals;
    FakeProcesses processes;
    TemporaryDirectory directory;
};

struct Running {
    explicit Running(World& world)
        : scheduler(world.clock),
          store(std::move(*open_store(world.directory.path(), migrations()))),
          daemon(
              store, world.directory.path(),
              {world.kernel, world.agents, world.authority, world.signals, worker, host, world.processes, world.clock, scheduler})
    {
        daemon.take_over(false);
    }

    FakeScheduler scheduler;
    FakeWorker worker;
    FakeHost host;
    Store store;
    Daemon daemon;
};

class Service : public testing::Test {
protected:
    Service()
    {
        world.authority.allowed = {"org.tacet.tacet1.answer", "org.tacet.tacet1.rule", "org.tacet.tacet1.label-remove",
                                   "org.tacet.tacet1.pause", "org.tacet.tacet1.resume"};
        start();
    }

    void start() { running = std::make_unique<Running>(world); }
    void stop() { running.reset(); }
    void advance(BootTime by) { running->scheduler.advance(by); }

    Question make_question(QuestionId id)
    {
        Question question;
        question.id = id;
        question.uid = 1000;
        question.process = {42, BootTime(7)};
        question.executable = "/usr/bin/curl";
        question.file = "/home/user/salaries.csv";
        question.label = make_label({category_id("finance", 1000)});
        question.address = "192.0.2.7";
        question.port = 80;
        question.deadline = world.clock.now + 60s;
        return question;
    }

    void ask(QuestionId id) { world.kernel.ask(make_question(id)); }

    Result<Answered> answer(QuestionId id, Verdict verdict, Duration duration = Duration::Once, ScopeRequest scope = {},
                            const Caller& caller = user)
    {
        Result<Answered> outcome = Error{ErrorCode::Failed, "no reply"};
        running->daemon.handlers().breaches.answer(caller, {id, verdict, duration, std::move(scope)},
                                                   [&](Result<Answered> reply) { outcome = std::move(reply); });
        return outcome;
    }

    Result<RuleId> add_rule(RuleRequest request, const Caller& caller = user)
    {
        Result<RuleId> outcome = Error{ErrorCode::Failed, "no reply"};
        running->daemon.handlers().rules.add(caller, std::move(request),
                                             [&](Result<RuleId> reply) { outcome = std::move(reply); });
        return outcome;
    }

    std::vector<ListedRule> rules(const Caller& caller = user)
    {
        std::vector<ListedRule> list;
        running->daemon.handlers().rules.list(caller, [&](Result<std::vector<ListedRule>> reply) { list = *reply; });
        return list;
    }

    std::vector<Question> questions(const Caller& caller = user)
    {
        std::vector<Question> list;
        running->daemon.handlers().breaches.list(caller, [&](Result<std::vector<Question>> reply) { list = *reply; });
        return list;
    }

    std::vector<std::string> log_kinds(const Caller& caller = root)
    {
        std::vector<std::string> kinds;
        running->daemon.handlers().log.list(caller, 0, 1000, [&](Result<std::vector<LogEntry>> reply) {
            for (const LogEntry& entry : *reply)
                kinds.push_back(entry.kind + ":" + entry.verdict);
        });
        return kinds;
    }

    CachedVerdict last_verdict() const { return world.kernel.verdicts.empty() ? CachedVerdict{} : world.kernel.verdicts.back(); }

    World world;
    std::unique_ptr<Running> running;
};

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
    ASSERT_TRUE(answer(1, Verdict::Allow, Duration::Process));
    EXPECT_EQ(last_verdict().scope, CacheScope::Flow);
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

    running->daemon.handlers().rules.remove(user, *rule, [](const Result<void>& removed) { EXPECT_TRUE(removed); });
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
    world.processes.fingerprint = "second";
    ask(3);
    EXPECT_TRUE(world.agents.asked.back().binary_changed);
}

TEST_F(WithAgent, SystemProcessIsTheFileOwnersQuestion)
{
    Question question = make_question(1);
    question.uid = 33;
    question.file = world.directory.write("file", "x");
    ASSERT_EQ(chown(question.file.c_str(), 1000, 1000), 0);
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

TEST_F(WithAgent, PauseLetsPassUntilItEnds)
{
    running->daemon.handlers().protection.pause(user, 5, [](const Result<UnixTime>& until) { EXPECT_TRUE(until); });
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
    running->daemon.handlers().protection.pause(user, 5, [](const Result<UnixTime>& until) { EXPECT_TRUE(until); });
    EXPECT_THAT(questions(), IsEmpty());
    EXPECT_THAT(world.kernel.verdicts, SizeIs(2));
    EXPECT_EQ(last_verdict().verdict, Verdict::Allow);
    EXPECT_THAT(log_kinds(), ElementsAre("paused:", "paused:allow", "paused:allow"));
}

TEST_F(WithAgent, RestartEndsThePause)
{
    running->daemon.handlers().protection.pause(user, 60, [](const Result<UnixTime>&) {});
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
    EXPECT_EQ(add_rule({Verdict::Allow, Duration::Always, {}}).error().code, ErrorCode::TooMany);
}

class Labels : public Service {
protected:
    std::string make_file(const std::string& name, const std::string& content = "name,4711\n", uid_t owner = 1000)
    {
        std::filesystem::permissions(world.directory.path(), std::filesystem::perms(0755));
        const std::string path = world.directory.write(name, content);
        EXPECT_EQ(chown(path.c_str(), owner, owner), 0);
        return path;
    }

    FileIdentity identity(const std::string& path)
    {
        struct stat status{};
        EXPECT_EQ(stat(path.c_str(), &status), 0);
        return {status.st_dev, status.st_ino};
    }

    std::vector<PathFailure> add(std::vector<std::string> paths, const std::string& category = "finance",
                                 const Caller& caller = user)
    {
        std::vector<PathFailure> failures;
        running->daemon.handlers().labels.add(caller, std::move(paths), category,
                                              [&](Result<std::vector<PathFailure>> reply) { failures = *reply; });
        running->scheduler.settle();
        return failures;
    }

    std::vector<PathFailure> remove(std::vector<std::string> paths, const Caller& caller = user)
    {
        std::vector<PathFailure> failures;
        running->daemon.handlers().labels.remove(caller, std::move(paths),
                                                 [&](Result<std::vector<PathFailure>> reply) { failures = *reply; });
        running->scheduler.settle();
        return failures;
    }

    FilePage list(const Caller& caller = user)
    {
        FilePage page;
        running->daemon.handlers().labels.list(caller, 0, 1000, [&](Result<FilePage> reply) { page = *reply; });
        return page;
    }
};

TEST_F(Labels, AreOnTheInodeAndInTheIndex)
{
    const std::string path = make_file("a");
    EXPECT_THAT(add({path}), IsEmpty());
    EXPECT_THAT(add({path}, "keys"), IsEmpty());
    EXPECT_EQ(world.kernel.labels[identity(path)], make_label({category_id("finance", 1000), category_id("keys", 1000)}));
    ASSERT_THAT(list().files, SizeIs(1));
    EXPECT_THAT(list().files[0].categories, ElementsAre("finance", "keys"));
    EXPECT_THAT(list(other).files, IsEmpty());
}

TEST_F(Labels, MarkingManySignalsOnce)
{
    std::vector<std::string> paths;
    for (int number = 0; number < 200; ++number)
        paths.push_back(make_file("file" + std::to_string(number)));
    EXPECT_THAT(add(paths), IsEmpty());
    advance(99ms);
    EXPECT_EQ(world.signals.labels + world.signals.log, 0);
    advance(1ms);
    EXPECT_EQ(world.signals.labels, 1);
    EXPECT_EQ(world.signals.log, 1);
    EXPECT_THAT(log_kinds(), SizeIs(200));
}

TEST_F(Labels, MarkingTwiceChangesNothing)
{
    const std::string path = make_file("a");
    add({path});
    advance(1s);
    const int signals = world.signals.labels;
    EXPECT_THAT(add({path}), IsEmpty());
    advance(1s);
    EXPECT_EQ(world.signals.labels, signals);
    EXPECT_THAT(log_kinds(), ElementsAre("labelled:"));
}

TEST_F(Labels, UnmarkingClearsInodeIndexAndShadow)
{
    const std::string path = make_file("a");
    add({path});
    running->worker.finish_all();
    EXPECT_THAT(remove({path}), IsEmpty());
    EXPECT_THAT(world.kernel.labels, IsEmpty());
    EXPECT_THAT(list().files, IsEmpty());
    EXPECT_TRUE(std::filesystem::is_empty(world.directory / "shadow"));
    EXPECT_EQ(remove({path})[0].error.code, ErrorCode::NotLabelled);
}

TEST_F(Labels, FileThatIsGoneCanBeUnmarked)
{
    const std::string path = make_file("a");
    add({path});
    std::filesystem::remove(path);
    EXPECT_THAT(remove({path}), IsEmpty());
    EXPECT_THAT(list().files, IsEmpty());
}

TEST_F(Labels, AnotherPersonsFileNeedsAuthority)
{
    const std::string own = make_file("own");
    const std::string foreign = make_file("foreign", "x", 1001);
    const auto failures = add({own, foreign});
    ASSERT_THAT(failures, SizeIs(1));
    EXPECT_EQ(failures[0].error.code, ErrorCode::NotOwner);
    EXPECT_EQ(list(root).total, 1U);
    world.authority.allowed.insert("org.tacet.tacet1.label-others");
    EXPECT_THAT(add({foreign}), IsEmpty());
    EXPECT_EQ(list(other).total, 1U);
}

TEST_F(Labels, LinkIsJudgedByWhatItPointsTo)
{
    const std::string foreign = make_file("foreign", "x", 1001);
    std::filesystem::create_symlink(foreign, world.directory / "link");
    EXPECT_EQ(add({world.directory / "link"})[0].error.code, ErrorCode::NotOwner);
    const std::string own = make_file("own");
    std::filesystem::create_symlink(own, world.directory / "link2");
    EXPECT_THAT(add({world.directory / "link2"}), IsEmpty());
    EXPECT_EQ(list().files[0].path, own);
}

TEST_F(Labels, ShadowIsMadeAndHandedToTheKernel)
{
    const std::string path = make_file("a");
    add({path});
    EXPECT_FALSE(list().files[0].shadow);
    running->worker.finish_all();
    EXPECT_TRUE(list().files[0].shadow);
    EXPECT_TRUE(world.kernel.shadowed.contains(identity(path)));
}

TEST_F(Labels, ShadowOfAFileThatChangedMeanwhileIsMadeAgain)
{
    const std::string path = make_file("a");
    add({path});
    make_file("a", "longer than before\n");
    running->worker.finish_all();
    EXPECT_FALSE(world.kernel.shadowed.contains(identity(path)));
    advance(3s);
    running->worker.finish_all();
    EXPECT_TRUE(world.kernel.shadowed.contains(identity(path)));
}

TEST_F(Labels, OneScrubberRunsAtATimeForManyFiles)
{
    std::vector<std::string> paths;
    for (int number = 0; number < 100; ++number)
        paths.push_back(make_file(std::to_string(number)));
    EXPECT_THAT(add(paths), IsEmpty());
    EXPECT_THAT(running->worker.waiting, SizeIs(1));
    running->worker.finish_all();
    EXPECT_THAT(running->worker.started, ElementsAre(1, ScrubWorker::files_max, 35));
    for (const LabelledFile& file : list().files)
        EXPECT_TRUE(file.shadow) << file.path;
}

TEST_F(Labels, AreArmedAgainAfterARestart)
{
    const std::string path = make_file("a");
    add({path});
    running->worker.finish_all();
    stop();
    world.kernel.armed.clear();
    world.kernel.shadowed.clear();
    start();
    EXPECT_TRUE(world.kernel.armed.contains(identity(path)));
    EXPECT_TRUE(world.kernel.shadowed.contains(identity(path)));
}

TEST_F(Labels, RenamedFileIsFoundAgain)
{
    const std::string path = make_file("a");
    add({path});
    stop();
    std::filesystem::rename(path, world.directory / "b");
    start();
    ASSERT_THAT(list().files, SizeIs(1));
    EXPECT_EQ(list().files[0].path, world.directory / "b");
    EXPECT_FALSE(list().files[0].missing);
}

TEST_F(Labels, MissingFileIsKeptAndFlagged)
{
    const std::string path = make_file("a");
    add({path});
    stop();
    std::filesystem::rename(path, path + ".away");
    make_file("a", "another file under the old name");
    std::filesystem::remove(path + ".away");
    start();
    ASSERT_THAT(list().files, SizeIs(1));
    EXPECT_TRUE(list().files[0].missing);
    EXPECT_FALSE(world.kernel.labels.contains(identity(path)));
}

TEST_F(Labels, LostIndexIsRebuiltFromTheInodes)
{
    const std::string path = make_file("a");
    add({path}, "health");
    {
        ASSERT_TRUE(running->store.database.run("PRAGMA user_version = 99"));
    }
    stop();
    start();
    ASSERT_THAT(list().files, SizeIs(1));
    EXPECT_THAT(list().files[0].categories, ElementsAre("health"));
    EXPECT_TRUE(world.kernel.armed.contains(identity(path)));
}

TEST_F(Labels, DerivedFileIsListedAndForgottenWhenItIsGone)
{
    const std::string path = make_file("copy");
    const Label label = make_label({category_id("finance", 1000)});
    world.kernel.labels[identity(path)] = label;
    Notice notice;
    notice.kind = NoticeKind::Labelled;
    notice.uid = 1000;
    notice.file = identity(path);
    notice.label = label;
    notice.path = path;
    world.kernel.on_event(notice);
    ASSERT_THAT(list().files, SizeIs(1));
    EXPECT_TRUE(list().files[0].derived);
    EXPECT_THAT(log_kinds(user), ElementsAre("derived:"));
    std::filesystem::rename(path, path + "2");
    advance(3s);
    EXPECT_EQ(list().files[0].path, path + "2");
    std::filesystem::remove(path + "2");
    stop();
    start();
    EXPECT_THAT(list().files, IsEmpty());
}

TEST_F(Labels, NothingIsLabelledWithoutTheModule)
{
    const std::string path = make_file("a");
    world.kernel.enter(ModuleState::Absent);
    ErrorCode code = ErrorCode::Failed;
    running->daemon.handlers().labels.add(user, {path}, "finance",
                                          [&](const Result<std::vector<PathFailure>>& reply) { code = reply.error().code; });
    EXPECT_EQ(code, ErrorCode::ModuleAbsent);
}

TEST_F(Labels, FullDiskLeavesInodesAsTheyWere)
{
    std::vector<std::string> paths;
    for (int number = 0; number < 64; ++number)
        paths.push_back(make_file("file-" + std::to_string(number)));
    ASSERT_TRUE(running->store.database.run("PRAGMA max_page_count = 1"));
    const auto failures = add(paths);
    ASSERT_FALSE(failures.empty());
    for (const PathFailure& failure : failures) {
        EXPECT_EQ(failure.error.code, ErrorCode::DiskFull);
        EXPECT_FALSE(world.kernel.labels.contains(identity(failure.path)));
    }
    EXPECT_EQ(list().total + failures.size(), paths.size());
}

TEST_F(Labels, RuleAboutAFileCoversOnlyItsOwnLabel)
{
    world.agents.users.insert(1000);
    const std::string path = make_file("a");
    add({path});
    Question question = make_question(1);
    question.origin = identity(path);
    question.file = path;
    world.kernel.ask(question);
    ASSERT_TRUE(answer(1, Verdict::Allow, Duration::Always));
    question.id = 2;
    world.kernel.ask(question);
    EXPECT_EQ(last_verdict().question, 2U);
    question.id = 3;
    question.label = make_label({category_id("finance", 1000), category_id("keys", 1000)});
    world.kernel.ask(question);
    EXPECT_THAT(questions(), SizeIs(1));
}

class Sessions : public Service {
protected:
    Result<SessionId> start_session(const Caller& caller = user)
    {
        Result<SessionId> outcome = Error{ErrorCode::Failed, "no reply"};
        SessionStart start;
        start.command = {"/usr/bin/firefox", "-P"};
        start.directory = "/";
        running->daemon.handlers().sessions.start(caller, std::move(start),
                                                  [&](Result<SessionId> reply) { outcome = std::move(reply); });
        return outcome;
    }

    std::vector<PrivateSession> sessions(const Caller& caller = user)
    {
        std::vector<PrivateSession> list;
        running->daemon.handlers().sessions.list(caller, [&](Result<std::vector<PrivateSession>> reply) { list = *reply; });
        return list;
    }

    FakeHost::Session& started(std::size_t number = 0) { return *running->host.started.at(number); }
    static Caller nobody() { return {":1.9", 65534, 9, {}}; }
};

TEST_F(Sessions, AreListedWithTheirStateAndUsage)
{
    world.authority.allowed.insert("org.tacet.tacet1.session");
    const auto id = start_session(nobody());
    ASSERT_TRUE(id);
    started().events.on_message("running");
    started().events.on_message("used 12345");
    ASSERT_THAT(sessions(nobody()), SizeIs(1));
    const PrivateSession session = sessions(nobody())[0];
    EXPECT_EQ(session.id, *id);
    EXPECT_EQ(session.application, "firefox");
    EXPECT_EQ(session.state, SessionState::Running);
    EXPECT_EQ(session.store, 12345U);
    EXPECT_EQ(session.memory, 4096U);
    EXPECT_THAT(sessions(other), IsEmpty());
    EXPECT_THAT(sessions(root), SizeIs(1));
    EXPECT_THAT(log_kinds(), IsEmpty());
}

TEST_F(Sessions, NeedAuthorityAndAPerson)
{
    EXPECT_EQ(start_session(nobody()).error().code, ErrorCode::AccessDenied);
    EXPECT_EQ(start_session(root).error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(running->host.started, IsEmpty());
}

TEST_F(Sessions, OfAPersonAreBounded)
{
    world.authority.allowed.insert("org.tacet.tacet1.session");
    for (std::size_t number = 0; number < SessionService::per_owner_max; ++number)
        ASSERT_TRUE(start_session(nobody()));
    EXPECT_EQ(start_session(nobody()).error().code, ErrorCode::TooMany);
    started().events.on_gone();
    EXPECT_TRUE(start_session(nobody()));
}

TEST_F(Sessions, EndIsToldWhenItIsOver)
{
    world.authority.allowed.insert("org.tacet.tacet1.session");
    const auto id = start_session(nobody());
    bool ended = false;
    Result<void> refused;
    running->daemon.handlers().sessions.end(other, *id, [&](const Result<void>& reply) { refused = reply; });
    EXPECT_EQ(refused.error().code, ErrorCode::NoSuchSession);
    running->daemon.handlers().sessions.end(nobody(), *id, [&](const Result<void>& reply) { ended = static_cast<bool>(reply); });
    EXPECT_TRUE(started().told_to_end);
    EXPECT_FALSE(ended);
    started().events.on_gone();
    EXPECT_TRUE(ended);
    EXPECT_THAT(sessions(nobody()), IsEmpty());
    advance(1ms);
    EXPECT_TRUE(started().destroyed);
}

TEST_F(Sessions, ThatDoNotEndAreCutOff)
{
    world.authority.allowed.insert("org.tacet.tacet1.session");
    start_session(nobody());
    start_session(nobody());
    bool ended = false;
    running->daemon.handlers().sessions.end_all(nobody(), [&](const Result<void>&) { ended = true; });
    started(0).events.on_gone();
    EXPECT_FALSE(ended);
    advance(3s);
    EXPECT_TRUE(ended);
    EXPECT_TRUE(started(1).destroyed);
}

} // namespace
} // namespace tacet
