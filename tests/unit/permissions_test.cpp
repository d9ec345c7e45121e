// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "daemon/daemon.h"
#include "fakes.h"

namespace tacet {
namespace {

const std::filesystem::path source(TACET_SOURCE);
// They change nothing, and show only what the caller may see.
const std::set<std::string> reading{"Breaches.List",   "Labels.Guarded", "Labels.List",   "Labels.Show",   "Log.List",
                                    "Protection.List", "Rules.List",     "Sessions.List", "Sessions.Files"};

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

std::set<std::string> contract_methods()
{
    std::set<std::string> methods;
    for (const auto& file : std::filesystem::directory_iterator(source / "dbus")) {
        if (file.path().extension() != ".xml")
            continue;
        const std::string text = read_text(file.path());
        const std::string interface = *find_all(text, "<interface name=\"org\\.tacet\\.Tacet1\\.(\\w+)\"").begin();
        for (const std::string& method : find_all(text, "<method name=\"(\\w+)\""))
            if (interface != "Agent")
                methods.insert(interface + "." + method);
    }
    return methods;
}

TEST(Permissions, EveryMethodThatChangesSomethingIsInTheTable)
{
    std::set<std::string> guarded;
    for (const Permission& permission : permissions())
        guarded.insert(std::string(permission.method));
    std::set<std::string> changing = contract_methods();
    ASSERT_GT(changing.size(), reading.size());
    for (const std::string& method : reading)
        ASSERT_EQ(changing.erase(method), 1U) << method;
    EXPECT_EQ(guarded, changing);
}

TEST(Permissions, EveryActionIsDeclaredAndUsed)
{
    std::set<std::string> used;
    for (const Permission& permission : permissions()) {
        for (const std::string_view action : permission.actions)
            if (!action.empty())
                used.insert(std::string(action));
    }
    EXPECT_EQ(used, find_all(read_text(source / "polkit/org.tacet.tacet1.policy"), "<action id=\"([^\"]+)\""));
}

TEST(Permissions, OthersThingsAlwaysNeedMore)
{
    for (const Permission& permission : permissions()) {
        // Other people's sessions are nobody's to see.
        if (permission.method.starts_with("Protection.") || permission.method.starts_with("Sessions.")
            || permission.method.ends_with("Agent"))
            continue;
        EXPECT_NE(permission.actions[0], permission.actions[2]) << permission.method;
        EXPECT_FALSE(permission.actions[2].empty()) << permission.method;
    }
}

TEST(Gate, AsksAndPassesOn)
{
    FakeAuthority authority;
    Gate gate(authority, permissions());
    const Caller user{":1.1", 1000, 1, {}};
    bool passed = true;
    gate.pass(user, "Rules.Add", Reach::OwnLasting, [&](const Result<void>& result) { passed = static_cast<bool>(result); });
    EXPECT_FALSE(passed);
    EXPECT_THAT(authority.asked, testing::ElementsAre("org.tacet.tacet1.rule"));
    EXPECT_THROW(gate.pass(user, "Rules.Forget", Reach::Own, [](const Result<void>&) {}), std::logic_error);
}

} // namespace
} // namespace tacet
