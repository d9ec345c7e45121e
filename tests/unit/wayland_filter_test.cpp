// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/wayland_filter.h"

#include <gtest/gtest.h>

#include <vector>

namespace tacet::cli {
namespace {

// The numbers of the objects in these conversations.
constexpr std::uint32_t display = 1;
constexpr std::uint32_t registry = 2;
constexpr std::uint32_t base = 3;
constexpr std::uint32_t surface = 4;
constexpr std::uint32_t window = 5;

std::string words(const std::vector<std::uint32_t>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::uint32_t)};
}

std::string message(std::uint32_t object, unsigned opcode, const std::string& arguments)
{
    return words({object, static_cast<std::uint32_t>((8 + arguments.size()) << 16U | opcode)}) + arguments;
}

std::string text(std::string value)
{
    const auto length = static_cast<std::uint32_t>(value.size() + 1);
    value.resize((length + 3) / 4 * 4);
    return words({length}) + value;
}

std::string opening()
{
    return message(display, 1, words({registry})) + message(registry, 0, words({7}) + text("xdg_wm_base") + words({1, base}))
           + message(base, 2, words({surface, 9})) + message(surface, 1, words({window}));
}

class Filter : public testing::Test {
protected:
    std::string requests(std::string bytes) { return filter.pass_requests(bytes).value_or("none"); }
    std::string events(std::string bytes) { return filter.pass_events(bytes).value_or("none"); }

    WaylandFilter filter{"Private: letter", "org.tacet.Private"};
};

TEST_F(Filter, GivesTheWindowTheSessionsName)
{
    EXPECT_EQ(opening(), requests(opening()));
    EXPECT_EQ(message(window, 2, text("Private: letter")), requests(message(window, 2, text("Xwayland on :60"))));
    EXPECT_EQ(message(window, 3, text("org.tacet.Private")), requests(message(window, 3, text("Xwayland"))));
    // Another object's request with the same number is its own.
    EXPECT_EQ(message(surface, 2, text("as it is")), requests(message(surface, 2, text("as it is"))));
}

TEST_F(Filter, TakesTheCloseOut)
{
    requests(opening());
    EXPECT_EQ(message(window, 0, words({1, 2, 0})), events(message(window, 0, words({1, 2, 0})) + message(window, 1, "")));
    EXPECT_TRUE(filter.take_close());
    EXPECT_FALSE(filter.take_close());
    EXPECT_EQ(message(surface, 1, ""), events(message(surface, 1, "")));
    EXPECT_FALSE(filter.take_close());
}

TEST_F(Filter, ForgetsWhatIsDeleted)
{
    requests(opening());
    const std::string deleted = message(display, 1, words({window}));
    EXPECT_EQ(deleted, events(deleted));
    EXPECT_EQ(message(window, 1, ""), events(message(window, 1, "")));
    EXPECT_FALSE(filter.take_close());
}

TEST_F(Filter, PassesWholeMessagesOnly)
{
    std::string bytes = opening();
    std::string passed;
    std::string waiting;
    for (const char byte : bytes) {
        waiting += byte;
        passed += filter.pass_requests(waiting).value_or("none");
    }
    EXPECT_EQ(opening(), passed);
    EXPECT_EQ("", waiting);
    EXPECT_EQ(message(window, 2, text("Private: letter")), requests(message(window, 2, text("later"))));
}

TEST_F(Filter, EndsWhatIsNoConversation)
{
    EXPECT_EQ("none", requests(words({1, 4U << 16U})));
    EXPECT_EQ("none", events(words({1, 9U << 16U, 0, 0})));
    // Arguments that are not there name no object.
    EXPECT_EQ(message(display, 1, ""), requests(message(display, 1, "")));
    EXPECT_EQ(message(registry, 0, words({7, 0xffffffff})), requests(message(registry, 0, words({7, 0xffffffff}))));
}

} // namespace
} // namespace tacet::cli
