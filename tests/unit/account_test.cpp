// SPDX-License-Identifier: GPL-3.0-or-later
// What one user may use up, and in which order users are answered.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>

#include "daemon/bus/turns.h"
#include "daemon/core/account.h"
#include "daemon/log/log_store.h"
#include "daemon/lookups/lookup_account.h"
#include "daemon/loop/child_process.h"
#include "daemon/store/migrations.h"
#include "fakes.h"

namespace tacet {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(Accounts, EachUserHasHisOwn)
{
    Accounts accounts;
    std::vector<std::shared_ptr<Accounts::Charge>> held;
    for (std::uint64_t number = 0; number < limit_of(Resource::Dialogs); ++number) {
        const auto charge = accounts.charge(1000, Resource::Dialogs);
        ASSERT_TRUE(charge);
        held.push_back(*charge);
    }
    EXPECT_EQ(accounts.charge(1000, Resource::Dialogs).error().code, ErrorCode::TooMany);
    EXPECT_TRUE(accounts.charge(1001, Resource::Dialogs));
    EXPECT_TRUE(accounts.charge(1000, Resource::Calls));
    held.pop_back();
    EXPECT_TRUE(accounts.charge(1000, Resource::Dialogs));
}

TEST(Accounts, AmountThatIsTooLargeIsRefusedAndTakesNothing)
{
    Accounts accounts;
    const std::uint64_t limit = limit_of(Resource::CallBytes);
    EXPECT_FALSE(accounts.charge(1000, Resource::CallBytes, limit + 1));
    EXPECT_FALSE(accounts.charge(1000, Resource::CallBytes, UINT64_MAX));
    EXPECT_EQ(accounts.used(1000, Resource::CallBytes), 0U);
    const auto all = accounts.charge(1000, Resource::CallBytes, limit);
    ASSERT_TRUE(all);
    EXPECT_FALSE(accounts.charge(1000, Resource::CallBytes, 1));
}

TEST(Accounts, NumbersOfContainersAreNoFurtherAccounts)
{
    Accounts accounts;
    const auto charge = accounts.charge(100'001, Resource::Calls, limit_of(Resource::Calls));
    ASSERT_TRUE(charge);
    EXPECT_FALSE(accounts.charge(100'002, Resource::Calls));
    EXPECT_TRUE(accounts.charge(1000, Resource::Calls));
    EXPECT_TRUE(accounts.charge(0, Resource::Calls));
}

TEST(Accounts, ServicesHaveAnotherOneThanContainers)
{
    Accounts accounts;
    const auto charge = accounts.charge(100'001, Resource::Calls, limit_of(Resource::Calls));
    ASSERT_TRUE(charge);
    EXPECT_TRUE(accounts.charge(33, Resource::Calls));
    EXPECT_TRUE(accounts.charge(61'200, Resource::Calls));
    EXPECT_FALSE(accounts.charge(65'534, Resource::Calls));
}

TEST(LookupAccount, WhoAsksAgainAtOnceIsNotToldInADepth)
{
    EventLoop loop;
    LookupAccount account(loop, "/nonexistent");
    unsigned told = 0;
    unsigned depth = 0;
    std::function<void()> ask = [&] {
        account.ask(person_request(1000), [&](const std::vector<LookupReply>&) {
            EXPECT_EQ(depth++, 0U);
            if (++told < 100)
                ask();
            else
                loop.exit(0);
            --depth;
        });
    };
    ask();
    EXPECT_EQ(told, 0U);
    loop.run();
    EXPECT_EQ(told, 100U);
}

TEST(ChildProcess, TellsItsEndOnce)
{
    EventLoop loop;
    unsigned told = 0;
    auto child = ChildProcess::start(loop, "/bin/true", STDIN_FILENO, [&](bool) { ++told; });
    ASSERT_TRUE(child);
    const auto end = loop.at(SystemClock().boottime() + std::chrono::milliseconds(500), [&] { loop.exit(0); });
    loop.run();
    EXPECT_EQ(told, 1U);
}

TEST(ChildProcess, LeavesNoDeadTaskBehind)
{
    EventLoop loop;
    const auto children = [] {
        std::string list;
        std::getline(std::ifstream("/proc/thread-self/children"), list);
        return list;
    };
    const std::string before = children();
    // It waits for its input, which stays open.
    std::array<int, 2> pipe{};
    ASSERT_EQ(pipe2(pipe.data(), O_CLOEXEC), 0);
    const UniqueFd input(pipe[0]);
    const UniqueFd output(pipe[1]);
    auto child = ChildProcess::start(loop, "/bin/cat", input.get(), [](bool) {});
    ASSERT_TRUE(child);
    child->reset();
    const auto end = loop.at(SystemClock().boottime() + std::chrono::milliseconds(500), [&] { loop.exit(0); });
    loop.run();
    EXPECT_EQ(children(), before);
}

TEST(Turns, UsersTakeTurns)
{
    FakeClock clock;
    FakeScheduler scheduler(clock);
    std::vector<int> done;
    Turns turns(scheduler, [] {});
    for (int number = 0; number < 3; ++number)
        turns.add(1000, [&done, number] { done.push_back(number); });
    turns.add(1001, [&done] { done.push_back(100); });
    scheduler.settle();
    EXPECT_THAT(done, ElementsAre(0, 100, 1, 2));
    turns.add(1001, [&done] { done.push_back(101); });
    scheduler.settle();
    EXPECT_THAT(done, SizeIs(5));
}

TEST(Turns, WhatComesMeanwhileIsTakenInFirst)
{
    FakeClock clock;
    FakeScheduler scheduler(clock);
    std::vector<std::string> done;
    bool has_come = false;
    Turns* self = nullptr;
    Turns turns(scheduler, [&] {
        if (!std::exchange(has_come, true))
            self->add(1001, [&] { done.emplace_back("hers"); });
    });
    self = &turns;
    turns.add(1000, [&] { done.emplace_back("his"); });
    turns.add(1000, [&] { done.emplace_back("his"); });
    scheduler.settle();
    EXPECT_THAT(done, ElementsAre("his", "hers", "his"));
}

class LogOfTwo : public testing::Test {
protected:
    LogOfTwo() : database(std::move(*Database::open(":memory:"))) { EXPECT_TRUE(migrate(database, migrations())); }

    void add(LogStore& log, uid_t owner, int count)
    {
        LogEntry entry;
        entry.owner = owner;
        for (int number = 0; number < count; ++number)
            ASSERT_TRUE(log.add({entry}));
    }

    Database database;
};

TEST_F(LogOfTwo, OnePushesNoEntryOfTheOtherOut)
{
    LogStore log(database, 10);
    add(log, 1001, 5);
    add(log, 1000, 300);
    EXPECT_THAT(log.list(1001, 0, 100), SizeIs(5));
    EXPECT_THAT(log.list(1000, 0, 100), SizeIs(10));
    add(log, 100'001, 8);
    add(log, 100'002, 8);
    EXPECT_EQ(log.list(100'001, 0, 100).size() + log.list(100'002, 0, 100).size(), 10U);
    EXPECT_THAT(log.list(1000, 0, 100), SizeIs(10));
}

TEST_F(LogOfTwo, IsCountedAfterARestart)
{
    {
        LogStore log(database, 100);
        add(log, 1000, 30);
    }
    LogStore log(database, 10);
    add(log, 1000, 1);
    EXPECT_THAT(log.list(1000, 0, 100), SizeIs(10));
}

} // namespace
} // namespace tacet
