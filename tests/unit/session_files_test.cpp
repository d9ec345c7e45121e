// SPDX-License-Identifier: GPL-3.0-or-later
// What a session did to its files, found out, told and copied.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <optional>

#include "daemon/loop/event_loop.h"
#include "daemon/sessions/file_requests.h"
#include "session/change_walk.h"
#include "session/file_copy.h"
#include "temporary_directory.h"
#include "text_file.h"

namespace tacet {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
namespace fs = std::filesystem;

UniqueFd folder(const fs::path& path)
{
    return UniqueFd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// An overlay's parts as plain directories: what is merged is made by hand.
class Walk : public testing::Test {
protected:
    std::vector<std::string> changes()
    {
        ChangeWalk walk(merged_.get());
        walk.add(Layer{"/", folder(base / "upper"), folder(base / "lower")});
        std::vector<std::string> lines;
        for (const SessionChange& change : walk.finish())
            lines.push_back("+~-"[static_cast<int>(change.change)] + std::string(1, "fdlo"[static_cast<int>(change.kind)])
                            + change.path);
        return lines;
    }
    void both(const std::string& path, const std::string& content)
    {
        write_file(base / "upper" / path, content);
        write_file(base / "merged" / path, content);
    }

    TemporaryDirectory directory;
    fs::path base = directory.path();
    bool made_ = fs::create_directories(base / "upper") && fs::create_directories(base / "lower")
                 && fs::create_directories(base / "merged");
    UniqueFd merged_ = folder(base / "merged");
};

TEST_F(Walk, TellsCreatedChangedAndDeleted)
{
    write_file(base / "lower/home/old", "old");
    write_file(base / "lower/home/gone", "gone");
    write_file(base / "lower/home/same", "same");
    write_file(base / "lower/home/untouched/deep", "1");
    fs::create_directories(base / "merged/home/untouched");
    both("home/old", "new");
    both("home/same", "same");
    both("home/made/file", "1");
    fs::create_symlink("/etc/shadow", base / "upper/home/link");
    fs::create_symlink("/etc/shadow", base / "merged/home/link");
    ASSERT_EQ(mknod((base / "upper/home/gone").c_str(), S_IFIFO | 0600, 0), 0);
    fs::remove(base / "upper/home/gone");
    EXPECT_THAT(changes(), ElementsAre("-f/home/gone", "+l/home/link", "+d/home/made", "+f/home/made/file", "~f/home/old"));
}

TEST_F(Walk, OpenedForWritingIsNotChanged)
{
    write_file(base / "lower/a", "content");
    both("a", "content");
    fs::last_write_time(base / "upper/a", fs::file_time_type::clock::now() + std::chrono::hours(1));
    EXPECT_THAT(changes(), IsEmpty());
    chmod((base / "upper/a").c_str(), 0700);
    EXPECT_THAT(changes(), ElementsAre("~f/a"));
}

TEST_F(Walk, AFolderMadeAnewHasLostWhatItHad)
{
    write_file(base / "lower/mail/1", "1");
    write_file(base / "lower/mail/2", "2");
    write_file(base / "lower/kind", "file");
    both("mail/2", "2");
    both("kind/file", "1");
    EXPECT_THAT(changes(), ElementsAre("~d/kind", "+f/kind/file", "-f/mail/1"));
}

TEST_F(Walk, FreshPlacesHaveTheirOwnersFiles)
{
    write_file(base / "merged/tmp/folder/file", "1");
    fs::create_symlink("/etc", base / "merged/tmp/link");
    mkfifo((base / "merged/tmp/fifo").c_str(), 0600);
    const auto found = [&](uid_t owner) {
        ChangeWalk walk(merged_.get());
        walk.add(FreshPlace{"/tmp", owner});
        return walk.finish();
    };
    ASSERT_EQ(found(getuid()).size(), 1U);
    EXPECT_EQ(found(getuid())[0].path, "/tmp/folder/file");
    EXPECT_THAT(found(getuid() + 1), IsEmpty());
}

TEST_F(Walk, IsNotLedAstrayByDepth)
{
    const fs::path deep = [] {
        fs::path path;
        for (int i = 0; i < 300; ++i)
            path /= "d";
        return path;
    }();
    both((deep / "file").string(), "1");
    EXPECT_EQ(changes().size(), 129U);
}

TEST(ChangeList, GoesThroughTextUnchanged)
{
    const std::vector<SessionChange> list{{"/home/anna/a b\n\xff", ChangeType::Deleted, FileKind::Other, 1ULL << 40, 07777, 7},
                                          {"/x", ChangeType::Created, FileKind::Directory, 0, 0, 0}};
    const auto parsed = parse_changes(to_text(list));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, list);
}

TEST(ChangeList, NothingIsTakenOnTrust)
{
    const std::string good("+f 1 2 3 /a\0", 12);
    EXPECT_TRUE(parse_changes(good));
    EXPECT_TRUE(parse_changes(""));
    for (const std::string& bad :
         {good.substr(0, 11), std::string("*f 1 2 3 /a\0", 12), std::string("+x 1 2 3 /a\0", 12), std::string("+f 1 2 3 a\0", 11),
          std::string("+f -1 2 3 /a\0", 13), std::string("+f 1 2 /a\0", 10), std::string("+f 1 2 3 \0", 10), std::string("\0", 1),
          "+f 1 2 3 /" + std::string(5000, 'x') + std::string(1, '\0')})
        EXPECT_FALSE(parse_changes(bad)) << bad;
    std::string many;
    for (std::size_t i = 0; i <= changes_max; ++i)
        many += good;
    EXPECT_FALSE(parse_changes(many));
}

class Copy : public testing::Test {
protected:
    // Nothing: it was opened.
    std::optional<ErrorCode> refused(const std::string& path)
    {
        const auto file = open_session_file(root_.get(), path);
        return file ? std::nullopt : std::optional(file.error().code);
    }

    TemporaryDirectory directory;
    fs::path base = directory.path();
    UniqueFd root_ = folder(base);
};

TEST_F(Copy, FollowsNothing)
{
    write_file(base / "real/file", "content");
    write_file(base.parent_path() / "outside", "outside");
    fs::create_symlink("file", base / "real/link");
    fs::create_symlink("real", base / "parent");
    fs::create_symlink(base / "real/file", base / "absolute");
    mkfifo((base / "fifo").c_str(), 0600);
    EXPECT_EQ(refused("/real/link"), ErrorCode::NotRegular);
    EXPECT_EQ(refused("/parent/file"), ErrorCode::NotRegular);
    EXPECT_EQ(refused("/absolute"), ErrorCode::NotRegular);
    EXPECT_EQ(refused("/fifo"), ErrorCode::NotRegular);
    EXPECT_EQ(refused("/real"), ErrorCode::NotRegular);
    EXPECT_EQ(refused("/none"), ErrorCode::NotFound);
    EXPECT_EQ(refused("/../outside"), ErrorCode::NotFound);
    const UniqueFd whole = folder("/");
    for (const char* path : {"/proc/self/status", "/sys/kernel/uevent_seqnum"}) {
        const auto file = open_session_file(whole.get(), path);
        EXPECT_FALSE(file) << path;
    }
}

TEST_F(Copy, WritesAllOrSaysWhyNot)
{
    const std::string content(300'000, 'x');
    write_file(base / "from", content);
    const UniqueFd from(open((base / "from").c_str(), O_RDONLY | O_CLOEXEC));
    const UniqueFd to(open((base / "to").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    EXPECT_TRUE(copy_out(from.get(), to.get(), [] {}));
    EXPECT_EQ(read_file(base / "to"), content);
    const UniqueFd reading(open((base / "to").c_str(), O_RDONLY | O_CLOEXEC));
    for (const int bad : {reading.get(), root_.get(), -1})
        EXPECT_EQ(copy_out(from.get(), bad, [] {}).error().code, ErrorCode::InvalidArgument);
    const UniqueFd device(open("/dev/null", O_WRONLY | O_CLOEXEC));
    EXPECT_EQ(copy_out(from.get(), device.get(), [] {}).error().code, ErrorCode::InvalidArgument);
}

TEST_F(Copy, DoesNotWaitForEverForAReader)
{
    write_file(base / "from", std::string(300'000, 'x'));
    const UniqueFd from(open((base / "from").c_str(), O_RDONLY | O_CLOEXEC));
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    const UniqueFd reader(ends[0]);
    const UniqueFd writer(ends[1]);
    struct sigaction interrupt{};
    interrupt.sa_handler = [](int) {};
    sigaction(SIGALRM, &interrupt, nullptr);
    const auto copied = copy_out(from.get(), writer.get(), [] { alarm(1); });
    EXPECT_EQ(copied.error().message, "nobody takes the file's content");
}

TEST_F(Copy, NoticesAChange)
{
    static fs::path victim;
    victim = base / "from";
    write_file(victim, std::string(600'000, 'x'));
    const UniqueFd from(open(victim.c_str(), O_RDONLY | O_CLOEXEC));
    const UniqueFd to(open((base / "to").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    const auto copied = copy_out(from.get(), to.get(), [] { fs::resize_file(victim, 5); });
    EXPECT_EQ(copied.error().message, "the file was changed while it was copied");
}

class Requests : public testing::Test {
protected:
    Requests() : channel(std::move(*make_channel())) {}
    Message next() { return std::move(*receive_message(channel.second.get())); }
    void turn()
    {
        const auto stop = loop.at(SystemClock().boottime() + std::chrono::milliseconds(50), [this] { loop.exit(0); });
        loop.run();
    }

    EventLoop loop;
    std::pair<UniqueFd, UniqueFd> channel;
    std::unique_ptr<FileRequests> requests = std::make_unique<FileRequests>(loop, channel.first.get());
    Result<std::vector<SessionChange>> list = Error{ErrorCode::Failed, "no reply"};
    Reply<std::vector<SessionChange>> take = [this](Result<std::vector<SessionChange>> reply) { list = std::move(reply); };
};

TEST_F(Requests, AreAnsweredByTheSession)
{
    requests->files(take);
    const Message asked = next();
    EXPECT_EQ(asked.text, "files");
    const auto file = make_memory_file(std::string("+f 1 2 3 /a\0", 12));
    ASSERT_TRUE(send_message(asked.files.at(0).get(), "done", std::array{file->get()}));
    turn();
    ASSERT_TRUE(list);
    EXPECT_EQ(list->at(0).path, "/a");
}

TEST_F(Requests, FailWhenNobodyAnswers)
{
    requests->files(take);
    static_cast<void>(next());
    requests.reset();
    EXPECT_FALSE(list);
    EXPECT_NE(list.error().message, "no reply");
}

} // namespace
} // namespace tacet
