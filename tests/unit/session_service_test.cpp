// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to a private session.
#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>

#include "contract/codes.h"
#include "service_fixture.h"

namespace tacet {
namespace {

class Sessions : public Service {
protected:
    Result<SessionId> start_session(const Caller& caller = user)
    {
        Result<SessionId> outcome = Error{ErrorCode::Failed, "no reply"};
        SessionStart start;
        start.command = {"/usr/bin/firefox", "-P"};
        start.directory = "/";
        running->daemon.services().sessions.start(caller, std::move(start),
                                                  [&](Result<SessionId> reply) { outcome = std::move(reply); });
        return outcome;
    }

    std::vector<PrivateSession> sessions(const Caller& caller = user)
    {
        std::vector<PrivateSession> list;
        running->daemon.services().sessions.list(caller, [&](Result<std::vector<PrivateSession>> reply) { list = *reply; });
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
    EXPECT_FALSE(session.is_full);
    started().events.on_message("full");
    EXPECT_TRUE(sessions(nobody())[0].is_full);
    started().events.on_message("room");
    EXPECT_FALSE(sessions(nobody())[0].is_full);
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
    for (std::size_t number = 0; number < limit_of(Resource::Sessions); ++number)
        ASSERT_TRUE(start_session(nobody()));
    const auto refused = start_session(nobody());
    EXPECT_EQ(refused.error().code, ErrorCode::TooMany);
    EXPECT_THAT(refused.error().message, testing::StartsWith("16 private sessions of yours run"));
    started().events.on_gone();
    EXPECT_TRUE(start_session(nobody()));
}

TEST_F(Sessions, HaveBoxesOfTheirOwn)
{
    world.authority.allowed.insert("org.tacet.tacet1.session");
    const std::string boxes = world.directory / "boxes/65534";
    std::filesystem::create_directories(boxes);
    world.directory.write("boxes/65534/work", "header");
    auto& service = running->daemon.services().sessions;
    const auto start = [&](const std::string& box) {
        Result<SessionId> outcome = Error{ErrorCode::Failed, "no reply"};
        SessionStart start;
        start.command = {"/bin/true"};
        start.directory = "/";
        start.options.box = box;
        service.start(nobody(), std::move(start), [&](Result<SessionId> reply) { outcome = std::move(reply); });
        return outcome;
    };
    const auto remove = [&](const std::string& box) {
        Result<void> outcome;
        service.remove_box(nobody(), box, [&](const Result<void>& reply) { outcome = reply; });
        return outcome;
    };
    const auto first = start("work");
    ASSERT_TRUE(first);
    EXPECT_TRUE(started().request.on_disk);
    UniqueFd lock(open((boxes + "/work").c_str(), O_RDWR | O_CLOEXEC)); // as the session has it
    ASSERT_EQ(flock(lock.get(), LOCK_EX), 0);
    EXPECT_EQ(remove("work").error().message, "private session " + std::to_string(*first) + " uses the box work");
    std::vector<Box> list;
    service.list_boxes(nobody(), [&](Result<std::vector<Box>> reply) { list = *reply; });
    ASSERT_THAT(list, SizeIs(1));
    EXPECT_EQ(list[0].session, *first);
    service.list_boxes(other, [&](Result<std::vector<Box>> reply) { list = *reply; });
    EXPECT_THAT(list, IsEmpty());
    started().events.on_gone();
    EXPECT_EQ(remove("work").error().message, "the box work is in use");
    lock = UniqueFd();
    EXPECT_TRUE(remove("work"));
    EXPECT_EQ(remove("work").error().code, ErrorCode::NotFound);
    for (int number = 0; number < 16; ++number)
        world.directory.write("boxes/65534/box" + std::to_string(number), "header");
    EXPECT_TRUE(start("box3"));
    EXPECT_EQ(start("one-more").error().code, ErrorCode::TooMany);
}

TEST_F(Sessions, LimitIsANumberThatTheKernelHasRoomFor)
{
    EXPECT_EQ(*parse_sessions_max("1"), 1U);
    EXPECT_EQ(*parse_sessions_max("64"), 64U);
    for (const char* bad : {"", "0", "65", "-1", "16 ", "many", "99999999999999999999"})
        EXPECT_EQ(parse_sessions_max(bad).error().code, ErrorCode::InvalidArgument) << bad;
}

TEST_F(Sessions, EndIsToldWhenItIsOver)
{
    world.authority.allowed.insert("org.tacet.tacet1.session");
    const auto id = start_session(nobody());
    bool ended = false;
    Result<void> refused;
    running->daemon.services().sessions.end(other, *id, [&](const Result<void>& reply) { refused = reply; });
    EXPECT_EQ(refused.error().code, ErrorCode::NoSuchSession);
    running->daemon.services().sessions.end(nobody(), *id, [&](const Result<void>& reply) { ended = static_cast<bool>(reply); });
    EXPECT_TRUE(started().told_to_end);
    EXPECT_FALSE(ended);
    started().events.on_gone();
    EXPECT_TRUE(ended);
    EXPECT_THAT(sessions(nobody()), IsEmpty());
    advance(1ms);
    EXPECT_TRUE(started().destroyed);
}

class SessionsOfAnEarlierDaemon : public Sessions {
protected:
    void take_over()
    {
        running->host.left = {request.id};
        running->daemon.services().sessions.take_over();
    }

    SessionRequest request = [] {
        SessionRequest made;
        made.id = 7;
        made.uid = nobody().uid;
        made.command = {"/usr/bin/firefox"};
        made.since = 5;
        made.options.network = false;
        return made;
    }();
};

TEST_F(SessionsOfAnEarlierDaemon, AreTheirOwnersOnceTheyAreKnown)
{
    take_over();
    for (const Caller& caller : {nobody(), root, other})
        EXPECT_THAT(sessions(caller), IsEmpty());
    started().events.on_described(request);
    started().events.on_message("running");
    ASSERT_THAT(sessions(nobody()), SizeIs(1));
    const PrivateSession session = sessions(nobody())[0];
    EXPECT_EQ(session.application, "firefox");
    EXPECT_EQ(session.since, 5U);
    EXPECT_FALSE(session.network);
    EXPECT_EQ(session.state, SessionState::Running);
    request.uid = other.uid;
    started().events.on_described(request);
    EXPECT_THAT(sessions(other), IsEmpty());
    advance(60s);
    EXPECT_FALSE(started().told_to_end);
}

TEST_F(SessionsOfAnEarlierDaemon, EndIfTheyDoNotSayWhoseTheyAre)
{
    take_over();
    request.id = 8;
    started().events.on_described(request);
    advance(31s);
    EXPECT_TRUE(started().told_to_end);
    advance(1ms);
    EXPECT_TRUE(started().destroyed);
}

TEST_F(Sessions, AreOnDiskWhenMemoryWouldNotDo)
{
    world.authority.allowed.insert("org.tacet.tacet1.session");
    const std::uint64_t half = 1U << 29; // of FakeHost's memory
    const auto on_disk = [&](contract::StoreChoice store, std::uint64_t size) {
        SessionStart start;
        start.command = {"/bin/true"};
        start.directory = "/";
        start.options.store = store;
        start.options.size = size;
        running->daemon.services().sessions.start(nobody(), std::move(start), [](const Result<SessionId>&) {});
        return running->host.started.back()->request.on_disk;
    };
    EXPECT_FALSE(on_disk(contract::StoreChoice::Auto, 0));
    EXPECT_FALSE(on_disk(contract::StoreChoice::Auto, half));
    EXPECT_TRUE(on_disk(contract::StoreChoice::Auto, half + 1));
    EXPECT_FALSE(on_disk(contract::StoreChoice::Memory, half + 1));
    EXPECT_TRUE(on_disk(contract::StoreChoice::Disk, 0));
    const auto all = sessions(nobody());
    EXPECT_EQ(std::ranges::count_if(all, &PrivateSession::on_disk), 2);
}

class SparePlaces : public Sessions {
protected:
    SparePlaces() { world.authority.allowed.insert("org.tacet.tacet1.session"); }
    void app_starts(const Caller& caller) { static_cast<void>(world.agents.add(caller, "/agent")); }
    std::vector<FakeHost::Made>& waiting() { return running->host.waiting; }
};

TEST_F(SparePlaces, ServeTheNextSessionOfThePersonWhoseAppRuns)
{
    app_starts(nobody());
    EXPECT_THAT(waiting(), IsEmpty());
    advance(5s);
    ASSERT_THAT(waiting(), SizeIs(1));
    const auto spare = waiting()[0];
    EXPECT_EQ(spare.person, nobody().uid);
    EXPECT_FALSE(spare.on_disk);
    EXPECT_THAT(sessions(root), IsEmpty());
    EXPECT_EQ(*start_session(nobody()), spare.id);
    EXPECT_THAT(waiting(), IsEmpty());
    // The next one has none yet.
    EXPECT_NE(*start_session(nobody()), spare.id);
    advance(5s);
    ASSERT_THAT(waiting(), SizeIs(1));
    EXPECT_NE(waiting()[0].id, spare.id);
}

TEST_F(SparePlaces, KnowWhomTheyAreFor)
{
    app_starts(nobody());
    advance(5s);
    const auto asked = running->lookups.asked.size();
    ASSERT_TRUE(start_session(nobody()));
    EXPECT_EQ(running->lookups.asked.size(), asked);
    // Without a place the account is looked up.
    ASSERT_TRUE(start_session(nobody()));
    EXPECT_EQ(running->lookups.asked.size(), asked + 1);
}

TEST_F(SparePlaces, AreNotForSessionsOnDisk)
{
    app_starts(nobody());
    advance(5s);
    SessionStart start;
    start.command = {"/bin/true"};
    start.directory = "/";
    start.options.store = contract::StoreChoice::Disk;
    running->daemon.services().sessions.start(nobody(), std::move(start), [](const Result<SessionId>&) {});
    EXPECT_TRUE(started().request.on_disk);
    EXPECT_THAT(waiting(), SizeIs(1));
}

TEST_F(SparePlaces, ThatHaveDiedAreReplaced)
{
    app_starts(nobody());
    advance(5s);
    const auto spare = waiting().at(0);
    running->host.waiting_die = true;
    EXPECT_NE(*start_session(nobody()), spare.id);
    running->host.waiting_die = false;
    advance(5s);
    const auto next = waiting().at(0);
    EXPECT_EQ(*start_session(nobody()), next.id);
}

TEST_F(SparePlaces, GoWithTheApp)
{
    app_starts(nobody());
    advance(5s);
    world.agents.remove(nobody());
    EXPECT_THAT(waiting(), IsEmpty());
    ASSERT_TRUE(start_session(nobody()));
    advance(60s);
    EXPECT_THAT(waiting(), IsEmpty());
    app_starts(nobody());
    world.agents.remove(nobody());
    advance(60s);
    EXPECT_THAT(waiting(), IsEmpty());
    app_starts(root);
    advance(60s);
    EXPECT_THAT(waiting(), IsEmpty());
}

TEST_F(Sessions, WaitForFilesToBeKept)
{
    world.authority.allowed.insert("org.tacet.tacet1.session");
    const auto id = start_session(nobody());
    auto& handler = running->daemon.services().sessions;
    Result<std::vector<SessionChange>> files = Error{ErrorCode::Failed, "no reply"};
    const auto ask = [&](const Caller& caller) {
        handler.files(caller, *id, [&](Result<std::vector<SessionChange>> reply) { files = std::move(reply); });
        return files ? ErrorCode{} : files.error().code;
    };
    started().changes = {{"/home/anna/new", ChangeType::Created, FileKind::File, 5, 0644, 7}};
    EXPECT_EQ(ask(nobody()), ErrorCode::Failed);
    EXPECT_EQ(files.error().message, "the session is starting or ending");
    started().events.on_message("running");
    started().events.on_message("waiting");
    EXPECT_EQ(sessions(nobody())[0].state, SessionState::Waiting);
    EXPECT_EQ(ask(other), ErrorCode::NoSuchSession);
    EXPECT_EQ(ask(root), ErrorCode::NoSuchSession);
    ask(nobody());
    ASSERT_TRUE(files);
    EXPECT_EQ(*files, started().changes);
}

TEST_F(Sessions, KeepOnlyWhatHasAPath)
{
    world.authority.allowed.insert("org.tacet.tacet1.session");
    const auto id = start_session(nobody());
    started().events.on_message("running");
    Result<void> outcome;
    const auto keep = [&](const Caller& caller, const std::string& path) {
        running->daemon.services().sessions.keep(caller, *id, path, UniqueFd(),
                                                 [&](const Result<void>& reply) { outcome = reply; });
        return outcome ? ErrorCode{} : outcome.error().code;
    };
    EXPECT_EQ(keep(nobody(), "relative"), ErrorCode::InvalidPath);
    EXPECT_EQ(keep(nobody(), std::string("/a\0b", 4)), ErrorCode::InvalidPath);
    EXPECT_EQ(keep(nobody(), "/" + std::string(5000, 'x')), ErrorCode::InvalidPath);
    EXPECT_EQ(keep(other, "/a"), ErrorCode::NoSuchSession);
    EXPECT_THAT(started().kept, IsEmpty());
    keep(nobody(), "/a\n\xff");
    EXPECT_TRUE(outcome);
    EXPECT_THAT(started().kept, ElementsAre("/a\n\xff"));
}

TEST_F(Sessions, ThatDoNotEndAreCutOff)
{
    world.authority.allowed.insert("org.tacet.tacet1.session");
    ASSERT_TRUE(start_session(nobody()));
    ASSERT_TRUE(start_session(nobody()));
    bool ended = false;
    running->daemon.services().sessions.end_all(nobody(), [&](const Result<void>&) { ended = true; });
    started(0).events.on_gone();
    EXPECT_FALSE(ended);
    advance(3s);
    EXPECT_TRUE(ended);
    EXPECT_TRUE(started(1).destroyed);
}

} // namespace
} // namespace tacet
