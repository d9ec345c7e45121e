// SPDX-License-Identifier: GPL-3.0-or-later
// The whole daemon but kernel and bus, for tests of what happens to a question, a label, a rule, a session.
#pragma once

#include <gmock/gmock.h>

#include <sys/stat.h>

#include "daemon/daemon.h"
#include "daemon/kernel_link/simulated_link.h"
#include "fakes.h"
#include "temporary_directory.h"

namespace tacet {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using namespace std::chrono_literals;

inline const Caller user{":1.5", 1000, 50, {}};
inline const Caller other{":1.6", 1001, 51, {}};
inline const Caller root{":1.7", 0, 52, {}};

// What outlives the daemon.
struct World {
    FakeClock clock;
    SimulatedLink kernel;
    FakeAuthority authority;
    FakeAgents agents;
    FakeSignals signals;
    FakeProcesses processes;
    FakeNames names;
    TemporaryDirectory directory;
};

struct Running {
    explicit Running(World& world)
        : scheduler(world.clock),
          store(std::move(*open_store(world.directory.path(), migrations()))),
          daemon(store, world.directory.path(),
                 {world.kernel, world.agents, world.authority, world.signals, worker, host, world.processes, world.clock,
                  scheduler, world.names})
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
    void stop()
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

    void ask(QuestionId id) { world.kernel.ask(make_question(id)); }

    Result<Answered> answer(QuestionId id, Verdict verdict, Duration duration = Duration::Once, ScopeRequest scope = {},
                            const Caller& caller = user)
    {
        Result<Answered> outcome = Error{ErrorCode::Failed, "no reply"};
        running->daemon.services().breaches.answer(caller, {id, verdict, duration, std::move(scope)},
                                                   [&](Result<Answered> reply) { outcome = std::move(reply); });
        return outcome;
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
