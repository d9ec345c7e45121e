// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/desktop_helpers.h"

#include <gtest/gtest.h>

namespace tacet {
namespace {

// The programs beside the window manager.
std::vector<std::string> started(std::vector<std::string> environment, bool screen_reader = false, bool is_installed = true)
{
    SessionRequest request;
    request.environment = std::move(environment);
    request.options.screen_reader = screen_reader;
    std::vector<std::string> programs;
    for (const auto& words : desktop_helpers(request, [&](const std::string&) { return is_installed; }))
        programs.push_back(words.front());
    EXPECT_EQ(programs.front(), "/usr/bin/openbox");
    programs.erase(programs.begin());
    return programs;
}

using Programs = std::vector<std::string>;

TEST(DesktopHelpers, TheInputMethodOfThePersonsEnvironment)
{
    EXPECT_EQ(started({}), Programs());
    EXPECT_EQ(started({"LANG=zh_CN.UTF-8", "XMODIFIERS=@im=none", "GTK_IM_MODULE=xim"}), Programs());
    EXPECT_EQ(started({"XMODIFIERS=@im=fcitx", "GTK_IM_MODULE=fcitx", "QT_IM_MODULE=fcitx"}), Programs{"/usr/bin/fcitx5"});
    EXPECT_EQ(started({"QT_IM_MODULE=fcitx5"}), Programs{"/usr/bin/fcitx5"});
    EXPECT_EQ(started({"XMODIFIERS=@im=ibus"}), Programs{"/usr/bin/ibus-daemon"});
    // Only by its whole name: nobody chooses another program by a variable.
    EXPECT_EQ(started({"XMODIFIERS=@im=ibus/../fcitx", "GTK_IM_MODULE=/tmp/fcitx"}), Programs());
}

TEST(DesktopHelpers, AScreenReaderWhenItIsWanted)
{
    EXPECT_EQ(started({}, true), Programs{"/usr/bin/orca"});
    EXPECT_EQ(started({"XMODIFIERS=@im=ibus"}, true), (Programs{"/usr/bin/ibus-daemon", "/usr/bin/orca"}));
}

TEST(DesktopHelpers, WhatIsNotInstalledIsLeftOut)
{
    EXPECT_EQ(started({"XMODIFIERS=@im=ibus"}, true, false), Programs());
}

} // namespace
} // namespace tacet
