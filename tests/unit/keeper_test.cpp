// SPDX-License-Identifier: GPL-3.0-or-later
// The keeper answers here over plain directories, which stand for a session's file system.
#include "session/keeper.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/channel.h"
#include "common/session_changes.h"
#include "temporary_directory.h"

namespace tacet {
namespace {

namespace fs = std::filesystem;

class KeeperTest : public testing::Test {
protected:
    KeeperTest()
    {
        // The keeper has the person's access.
        for (const char* part : {"upper", "lower", "merged"}) {
            fs::create_directory(base_ / part);
            fs::permissions(base_ / part, fs::perms(0755));
        }
        for (const char* part : {"upper", "merged"})
            fs::permissions(directory_.write(std::string(part) + "/new", "content"), fs::perms(0644));
        tree_.root = open_part("merged");
        tree_.layers.push_back(Layer{"/", open_part("upper"), open_part("lower")});
        SessionRequest request;
        request.uid = 1000;
        request.gid = 1000;
        request.user = "anna";
        auto started = start_keeper(request, tree_, UniqueFd());
        if (!started)
            throw std::runtime_error(started.error().message);
        keeper_ = std::move(*started);
    }
    // It ends with its channel.
    ~KeeperTest() override
    {
        keeper_ = UniqueFd();
        wait(nullptr);
    }

    // Its text is empty when the keeper gave no answer.
    Message ask(const char* what, std::vector<int> files = {})
    {
        auto channel = make_channel();
        files.insert(files.begin(), channel->second.get());
        EXPECT_TRUE(send_message(keeper_.get(), what, files));
        channel->second = UniqueFd();
        return std::move(*receive_message(channel->first.get()));
    }

    TemporaryDirectory directory_;
    fs::path base_ = directory_.path();

private:
    UniqueFd open_part(const char* part) const
    {
        return UniqueFd(open((base_ / part).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    }

    FileTree tree_;
    UniqueFd keeper_;
};

TEST_F(KeeperTest, ListsTheChanges)
{
    const Message answer = ask("files");
    ASSERT_EQ(answer.text, "done");
    ASSERT_EQ(answer.files.size(), 1U);
    const auto changes = parse_changes(*read_memory_file(answer.files[0].get(), change_text_max));
    ASSERT_TRUE(changes);
    ASSERT_THAT(*changes, testing::SizeIs(1));
    EXPECT_EQ(changes->front().path, "/new");
    EXPECT_EQ(changes->front().change, ChangeType::Created);
}

TEST_F(KeeperTest, CopiesAFile)
{
    const UniqueFd to(open((base_ / "kept").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    const auto path = make_memory_file("/new");
    ASSERT_TRUE(path);
    EXPECT_EQ(ask("keep", {to.get(), path->get()}).text, "done");
    std::ifstream kept(base_ / "kept");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), "content");
}

TEST_F(KeeperTest, SaysWhyThereIsNoCopy)
{
    const UniqueFd to(open((base_ / "kept").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    const auto path = make_memory_file("/none");
    ASSERT_TRUE(path);
    EXPECT_THAT(ask("keep", {to.get(), path->get()}).text, testing::StartsWith("failed "));
}

} // namespace
} // namespace tacet
