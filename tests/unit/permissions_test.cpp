// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "contract/methods.h"
#include "daemon/bus/gate.h"
#include "fakes.h"

namespace tacet {
namespace {

const std::filesystem::path source(TACET_SOURCE);
// They change nothing, and show only what the caller may see.
const std::set<std::string> reading{"Breaches.List", "Labels.Guarded", "Labels.List",     "Labels.Show",
                                    "Log.List",      "Memory.Policy",  "Protection.List", "Rules.List",
                                    "Rules.Show",    "Sessions.List",  "Sessions.Boxes",  "Sessions.Files"};

std::string read_text(const std::filesystem::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::set<std::string> find_all(const std::string& text, const std::string& pattern)
{
    const std::regex expression(pattern);
    std::set<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
        found.insert((*match)[1]);
    return found;
}

std::string full_name(const contract::Method& method)
{
    return std::string(method.interface.substr(contract::service.size() + 1)) + "." + std::string(method.name);
}

TEST(Permissions, EveryMethodThatChangesSomethingIsGuarded)
{
    std::set<std::string> unguarded;
    for (const contract::Method& method : contract::methods) {
        if (!method.changes)
            unguarded.insert(full_name(method));
    }
    EXPECT_EQ(unguarded, reading);
    EXPECT_GT(contract::methods.size(), reading.size());
}

TEST(Permissions, EveryActionIsDeclaredAndUsed)
{
    std::set<std::string> used;
    for (const contract::Method& method : contract::methods) {
        for (const std::string_view action : method.actions)
            if (!action.empty())
                used.insert(std::string(action));
    }
    EXPECT_EQ(used, find_all(read_text(source / "polkit/org.tacet.tacet1.policy"), "<action id=\"([^\"]+)\""));
}

TEST(Permissions, OthersThingsAlwaysNeedMore)
{
    for (const contract::Method& method : contract::methods) {
        // Other people's sessions are nobody's to see. Other people's choices of programs are theirs, and the scope is
        // everybody's.
        if (!method.changes || method.interface == contract::protection::interface
            || method.interface == contract::memory::interface || method.interface == contract::sessions::interface || method.name.ends_with("Agent"))
            continue;
        EXPECT_NE(method.actions[0], method.actions[2]) << method.name;
        EXPECT_FALSE(method.actions[2].empty()) << method.name;
    }
}

TEST(Gate, AsksAndPassesOn)
{
    FakeAuthority authority;
    Gate gate(authority);
    const Caller user{":1.1", 1000, 1, {}};
    bool passed = true;
    gate.pass(user, contract::rules::add, Reach::OwnLasting,
              [&](const Result<void>& result) { passed = static_cast<bool>(result); });
    EXPECT_FALSE(passed);
    EXPECT_THAT(authority.asked, testing::ElementsAre("org.tacet.tacet1.rule"));
    EXPECT_THROW(gate.pass(user, contract::rules::list, Reach::Own, [](const Result<void>&) {}), std::logic_error);
}

} // namespace
} // namespace tacet
