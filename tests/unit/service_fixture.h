// SPDX-License-Identifier: GPL-3.0-or-later
// The whole daemon but kernel and bus, for tests of what happens to a question, a label, a rule, a session.
#pragma once

#include <gmock/gmock.h>

#include <sys/stat.h>
#include <unistd.h>

#include "daemon/daemon.h"
#include "daemon/kernel_link/simulated_link.h"
#include "fakes.h"
#include "temporary_directory.h"

namespace tacet {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using namespace std::chrono_literals;

inline const Caller user{":1.5", 1000, getpid(), {}};
inline const Caller other{":1.6", 1001, getpid(), {}};
inline const Caller root{":1.7", 0, getpid(), {}};

// What outlives the daemon.
struct World {
    FakeClock clock;
    SimulatedLink kernel;
    FakeAuthority authority;
    FakeAgents agents;
    FakeSignals signals;
    FakeProcesses processes;
    ProcessFacts facts{{"curl", "-T", "salaries.csv"}, "bash", "first"};
    FakeNames names;
    TemporaryDirectory directory;
};

// The last thing of an orderly end.
struct Seal {
    ~Seal() { EXPECT_TRUE(!is_wanted || seal(store)); }
    Store& store;
    bool is_wanted = false;
};

struct Running {
    explicit Running(World& world)
        : scheduler(world.clock),
          lookups(scheduler, world.facts),
          store(std::move(*open_store(world.directory.path(), migrations()))),
          daemon(store, {world.directory.path(), world.directory.path(), world.directory / "boxes"},
                 {world.kernel, world.agents, world.authority, world.signals, worker, lookups, host, world.processes, world.clock,
                  scheduler, world.names})
    {
        daemon.take_over({});
    }

    FakeScheduler scheduler;
    FakeLookups lookups;
    FakeWorker worker;
    FakeHost host;
    Store store;
    Seal at_end{store};
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
    void stop()
    {
        running->at_end.is_wanted = true;
        kill();
    }
    // As far as the store can tell.
    void kill()
    {
        running->scheduler.finish();
        running.reset();
    }
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

    // A new file of a person that is labelled.
    std::string label_file(const std::string& name, uid_t owner = 1000)
    {
        std::filesystem::permissions(world.directory.path(), std::filesystem::perms(0755));
        const std::string path = world.directory.write(name, "name,4711\n");
        EXPECT_EQ(chown(path.c_str(), owner, owner), 0);
        running->daemon.services().labels.add(
            {":1.8", owner, getpid(), {}}, {path}, "finance",
            [](const Result<std::vector<PathFailure>>& failures) { EXPECT_THAT(*failures, IsEmpty()); });
        running->scheduler.settle();
        return path;
    }

    static FileIdentity identity(const std::string& path)
    {
        struct stat status{};
        EXPECT_EQ(stat(path.c_str(), &status), 0);
        return {status.st_dev, status.st_ino};
    }

    void ask(QuestionId id) { world.kernel.ask(make_question(id)); }

    Result<Answered> answer(QuestionId id, Verdict verdict, Duration duration = Duration::Once, ScopeRequest scope = {},
                            const Caller& caller = user)
    {
        Result<Answered> outcome = Error{ErrorCode::Failed, "no reply"};
        running->daemon.services().breaches.answer(caller, {id, verdict, duration, std::move(scope)},
                                                   [&](Result<Answered> reply) { outcome = std::move(reply); });
        return outcome;
    }

    std::optional<BootTime> extend(QuestionId id, const Caller& caller = user)
    {
        std::optional<BootTime> deadline;
        running->daemon.services().breaches.extend(caller, id, [&](Result<BootTime> reply) {
            if (reply)
                deadline = *reply;
        });
        return deadline;
    }

    Result<RuleId> add_rule(RuleRequest request, const Caller& caller = user)
    {
        Result<RuleId> outcome = Error{ErrorCode::Failed, "no reply"};
        running->daemon.services().rules.add(caller, std::move(request),
                                             [&](Result<RuleId> reply) { outcome = std::move(reply); });
        return outcome;
    }

    std::vector<ListedRule> rules(const Caller& caller = user)
    {
        std::vector<ListedRule> list;
        running->daemon.services().rules.list(caller, [&](Result<std::vector<ListedRule>> reply) { list = *reply; });
        return list;
    }

    std::vector<Question> questions(const Caller& caller = user)
    {
        std::vector<Question> list;
        running->daemon.services().breaches.list(caller, [&](Result<std::vector<Question>> reply) { list = *reply; });
        return list;
    }

    std::vector<std::string> log_kinds(const Caller& caller = root)
    {
        std::vector<std::string> kinds;
        running->daemon.services().log.list(caller, 0, 1000, [&](Result<std::vector<LogEntry>> reply) {
            for (const LogEntry& entry : *reply)
                kinds.push_back(entry.kind + ":" + entry.verdict);
        });
        return kinds;
    }

    CachedVerdict last_verdict() const { return world.kernel.verdicts.empty() ? CachedVerdict{} : world.kernel.verdicts.back(); }

    World world;
    std::unique_ptr<Running> running;
};

} // namespace tacet
