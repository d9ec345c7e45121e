// SPDX-License-Identifier: GPL-3.0-or-later
// The files of boxes: their headers, as tacet-box makes and reads them, and their list.
#include <gmock/gmock.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "daemon/sessions/boxes.h"
#include "session/box_header.h"
#include "temporary_directory.h"

namespace tacet {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::SizeIs;

constexpr uid_t owner = 1000;

UniqueFd pipe_with(const std::string& text)
{
    std::array<int, 2> ends{-1, -1};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    const UniqueFd far(ends[1]);
    EXPECT_EQ(write(far.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    return UniqueFd(ends[0]);
}

class BoxHeader : public testing::Test {
protected:
    BoxHeader() : file(open((directory / "box").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600))
    {
        EXPECT_EQ(ftruncate(file.get(), static_cast<off_t>(8 * box_header_size)), 0);
        EXPECT_EQ(flock(file.get(), LOCK_EX), 0); // as its user does
    }

    Result<void> make(const std::string& passphrase) { return make_box_header(file, pipe_with(passphrase), key, program); }
    Result<void> open_with(const std::string& passphrase, StoreKeyBytes& ret_key)
    {
        return open_box_header(file, pipe_with(passphrase), ret_key, program);
    }

    const char* program = std::getenv("TACET_BOX");
    TemporaryDirectory directory;
    UniqueFd file;
    StoreKeyBytes key;
};

TEST_F(BoxHeader, GivesTheKeyToThePassphraseOnly)
{
    ASSERT_TRUE(make("correct horse"));
    EXPECT_THAT(key.bytes, testing::Not(Each(0)));
    StoreKeyBytes again;
    ASSERT_TRUE(open_with("correct horse", again));
    EXPECT_EQ(again.bytes, key.bytes);
    StoreKeyBytes none;
    for (const char* wrong : {"correct hors", "correct horse\n", "Correct horse"}) {
        const auto opened = open_with(wrong, none);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, ErrorCode::InvalidArgument);
        EXPECT_EQ(opened.error().message, "wrong passphrase");
    }
    EXPECT_THAT(none.bytes, Each(0));
}

TEST_F(BoxHeader, DoesNotTouchTheData)
{
    const std::string data = "data";
    ASSERT_EQ(pwrite(file.get(), data.data(), data.size(), static_cast<off_t>(box_header_size)), 4);
    ASSERT_TRUE(make("correct horse"));
    std::string read(4, '\0');
    EXPECT_EQ(pread(file.get(), read.data(), read.size(), static_cast<off_t>(box_header_size)), 4);
    EXPECT_EQ(read, data);
}

TEST_F(BoxHeader, IsNeitherEmptyNorSpoiltNorAnotherPrograms)
{
    StoreKeyBytes none;
    const auto empty = open_with("correct horse", none);
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error().code, ErrorCode::Failed);
    EXPECT_EQ(make("").error().code, ErrorCode::Failed);
    EXPECT_EQ(make(std::string(passphrase_max + 1, 'x')).error().code, ErrorCode::Failed);
    EXPECT_EQ(make_box_header(file, UniqueFd(), none, program).error().message, "a box needs its passphrase");
    const auto no_program = open_box_header(file, pipe_with("correct horse"), none, "/nonexistent");
    EXPECT_EQ(no_program.error().code, ErrorCode::Failed);
}

class BoxFiles : public testing::Test {
protected:
    BoxFiles() { std::filesystem::create_directory(directory / std::to_string(owner)); }

    std::string add(const std::string& name)
    {
        return directory.write(std::to_string(owner) + "/" + name, std::string(box_header_size + 5, 'k'));
    }

    TemporaryDirectory directory;
    Boxes boxes{directory.path()};
};

TEST_F(BoxFiles, AreTheirOwners)
{
    add("work");
    add("bank");
    add(".hidden");
    std::filesystem::create_directory(directory / "1000/folder");
    std::filesystem::create_symlink(directory / "1000/work", directory / "1000/link");
    const auto list = boxes.list(owner);
    ASSERT_THAT(list, SizeIs(2));
    EXPECT_EQ(list[0].name, "bank");
    EXPECT_EQ(list[1].name, "work");
    EXPECT_EQ(list[1].size, 5U);
    EXPECT_GE(list[1].used, box_header_size);
    EXPECT_THAT(boxes.list(owner + 1), IsEmpty());
    EXPECT_EQ(boxes.remove(owner + 1, "work").error().code, ErrorCode::NotFound);
}

TEST_F(BoxFiles, LoseTheirHeaderFirst)
{
    const UniqueFd file(open(add("work").c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_TRUE(boxes.remove(owner, "work"));
    std::string left(box_header_size + 5, ' ');
    ASSERT_EQ(pread(file.get(), left.data(), left.size(), 0), static_cast<ssize_t>(left.size()));
    EXPECT_EQ(left, std::string(box_header_size, '\0') + "kkkkk");
    EXPECT_THAT(boxes.list(owner), IsEmpty());
    EXPECT_EQ(boxes.remove(owner, "work").error().code, ErrorCode::NotFound);
}

TEST_F(BoxFiles, StayWhileTheyAreUsed)
{
    const UniqueFd user(open(add("work").c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_EQ(flock(user.get(), LOCK_EX), 0);
    EXPECT_EQ(boxes.remove(owner, "work").error().message, "the box work is in use");
    EXPECT_THAT(boxes.list(owner), SizeIs(1));
}

TEST_F(BoxFiles, OfNoOtherFolderAreReached)
{
    add("work");
    std::filesystem::create_symlink(directory / "1000/work", directory / "1000/link");
    for (const char* name : {"", "../1000/work", "/etc/passwd", "link", ".", "..", "-work"})
        EXPECT_EQ(boxes.remove(owner, name).error().code, ErrorCode::NotFound) << name;
    EXPECT_THAT(boxes.list(owner), SizeIs(1));
}

TEST(BoxName, IsAName)
{
    for (const char* good : {"work", "a", "Shop_2.old-1", "1"})
        EXPECT_TRUE(is_box_name(good)) << good;
    for (const std::string& bad : {std::string(), std::string("a/b"), std::string(".a"), std::string("-a"), std::string("a b"),
                                   std::string("\xc3\xa4"), std::string("a\0", 2), std::string(65, 'a')})
        EXPECT_FALSE(is_box_name(bad)) << bad;
}

} // namespace
} // namespace tacet
