// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/display_socket.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>

#include <cstdlib>
#include <future>

#include "cli/clipboard_limit.h"
#include "temporary_directory.h"

namespace tacet::cli {
namespace {

constexpr std::uint64_t session = 7;
constexpr int patience_ms = 10'000;

// A session's display without a display: what is pasted can be copied.
class DisplaySocketTest : public testing::Test {
protected:
    DisplaySocketTest() { setenv("XDG_RUNTIME_DIR", directory_.path().c_str(), 1); }
    ~DisplaySocketTest() override { unsetenv("XDG_RUNTIME_DIR"); }

    DisplaySocket::Actions actions()
    {
        return {[this](std::string text) { text_ = std::move(text); },
                [this] {
                    if (text_.empty())
                        throw std::runtime_error("nothing there");
                    return text_;
                }};
    }

    // Serves one request of the caller's.
    template <typename Request>
    static auto serve(DisplaySocket& socket, Request request)
    {
        auto answer = std::async(std::launch::async, request);
        pollfd news{socket.file(), POLLIN, 0};
        EXPECT_EQ(poll(&news, 1, patience_ms), 1);
        socket.handle_requests();
        return answer.get();
    }

    TemporaryDirectory directory_;
    std::string text_;
};

TEST_F(DisplaySocketTest, TextGoesInAndOut)
{
    DisplaySocket socket(session, actions());
    const std::string text(clipboard_max, 'x');
    serve(socket, [&] { ask_paste(session, text); });
    EXPECT_EQ(text_, text);
    EXPECT_EQ(serve(socket, [] { return ask_copy(session); }), text);
}

TEST_F(DisplaySocketTest, TooMuchIsRefused)
{
    DisplaySocket socket(session, actions());
    const std::string text(clipboard_max + 1, 'x');
    EXPECT_THROW(serve(socket, [&] { ask_paste(session, text); }), std::runtime_error);
    EXPECT_EQ(text_, "");
}

TEST_F(DisplaySocketTest, FailureIsTold)
{
    DisplaySocket socket(session, actions());
    try {
        serve(socket, [] { return ask_copy(session); });
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "nothing there");
    }
}

TEST_F(DisplaySocketTest, IsThePersonsAloneAndGoesWithTheSession)
{
    const std::string folder = directory_.path() + "/tacet";
    {
        const DisplaySocket socket(session, actions());
        struct stat status{};
        ASSERT_EQ(stat(folder.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777U, 0700U);
        ASSERT_EQ(stat((folder + "/display-7").c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777U, 0700U);
    }
    EXPECT_THROW(ask_copy(session), NoSuchDisplay);
}

} // namespace
} // namespace tacet::cli
