// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/private_launcher.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "text_file.h"

namespace tacet {
namespace {

namespace fs = std::filesystem;

const std::string head = "[Desktop Entry]\nType=Application\n";
const std::string owl = head
                        + "Name=Owl\nName[de]=Eule\nExec=true %U\nDBusActivatable=true\nActions=new;\n\n"
                          "[Desktop Action new]\nName=New\nExec=true --new\n";

bool holds(const fs::path& path, const std::string& line)
{
    return ("\n" + read_file(path)).find("\n" + line + "\n") != std::string::npos;
}

// GIO reads the environment and the folders once, so all tests have one home, and entries of their own.
class PrivateLauncher : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        std::string pattern = testing::TempDir() + "launchers-XXXXXX";
        root = mkdtemp(pattern.data());
        setenv("XDG_DATA_HOME", (root / "own").c_str(), 1);
        setenv("XDG_DATA_DIRS", (root / "installed").c_str(), 1);
        setenv("PATH", (root / "bin:").string().append(std::getenv("PATH")).c_str(), 1);
        write_file(root / "bin/tacet", "#!/bin/sh\n");
        fs::permissions(root / "bin/tacet", fs::perms::owner_all);
        write_file(installed("owl.desktop"), owl);
        write_file(own("jay.desktop"), head + "Name=Jay\nExec=true --jay\nTerminal=true\nDBusActivatable=true\n");
        write_file(installed("org.example.Wren.desktop"), head + "Name=Wren\nExec=env %f\n");
        write_file(installed("rook.desktop"), head + "Name=Rook\nExec=nice\n");
        write_file(installed("rook-too.desktop"), head + "Name=Rook too\nExec=nice -n 5\n");
        write_file(installed("kite.desktop"), head + "Name=Kite\nDBusActivatable=true\n");
        write_file(installed("dove.desktop"), head + "Name=Dove\nExec=true\n");
    }
    static void TearDownTestSuite() { fs::remove_all(root); }

    static fs::path installed(const std::string& id) { return root / "installed/applications" / id; }
    static fs::path own(const std::string& id) { return root / "own/applications" / id; }

    static inline fs::path root;
};

TEST_F(PrivateLauncher, ReplacesAnInstalledEntryUntilItIsRemoved)
{
    const auto done = always_start_privately("owl", {"--net", "off"});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->id, "owl.desktop");
    EXPECT_EQ(done->command, "true %U");
    EXPECT_TRUE(holds(own("owl.desktop"), R"(Exec=tacet run "--net" "off" -- true %U)"));
    EXPECT_TRUE(holds(own("owl.desktop"), R"(Exec=tacet run "--net" "off" -- true --new)"));
    EXPECT_TRUE(holds(own("owl.desktop"), "Name[de]=Eule"));
    EXPECT_FALSE(holds(own("owl.desktop"), "DBusActivatable=true"));
    EXPECT_EQ(read_file(installed("owl.desktop")), owl);
    ASSERT_EQ(private_launchers().size(), 1U);
    EXPECT_EQ(private_launchers().front().id, "owl.desktop");

    // Other options replace the first ones.
    ASSERT_TRUE(always_start_privately("owl.desktop", {"--keep"}));
    EXPECT_TRUE(holds(own("owl.desktop"), R"(Exec=tacet run "--keep" -- true %U)"));

    ASSERT_TRUE(start_publicly_again("owl"));
    EXPECT_FALSE(fs::exists(own("owl.desktop")));
    EXPECT_TRUE(private_launchers().empty());
    EXPECT_EQ(start_publicly_again("owl").error().code, ErrorCode::NotFound);
}

TEST_F(PrivateLauncher, AnEntryOfThePersonsOwnComesBackAsItWas)
{
    ASSERT_TRUE(always_start_privately("jay", {}));
    EXPECT_TRUE(holds(own("jay.desktop"), "Exec=tacet run --display none -- true --jay"));
    ASSERT_TRUE(start_publicly_again("jay"));
    EXPECT_TRUE(holds(own("jay.desktop"), "Exec=true --jay"));
    EXPECT_TRUE(holds(own("jay.desktop"), "DBusActivatable=true"));
    EXPECT_EQ(read_file(own("jay.desktop")).find("Tacet"), std::string::npos);
}

TEST_F(PrivateLauncher, IsFoundByTheProgramThatOneEntryStarts)
{
    const auto done = always_start_privately("/usr/bin/env", {});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->id, "org.example.Wren.desktop");
    ASSERT_TRUE(start_publicly_again("env"));
    EXPECT_EQ(always_start_privately("nice", {}).error().code, ErrorCode::InvalidArgument);
}

TEST_F(PrivateLauncher, RefusesWhatIsNoEntryOrHasNoCommand)
{
    EXPECT_EQ(always_start_privately("no-such-program", {}).error().code, ErrorCode::NotFound);
    EXPECT_EQ(start_publicly_again("no-such-program").error().code, ErrorCode::NotFound);
    EXPECT_EQ(always_start_privately("kite", {}).error().code, ErrorCode::InvalidArgument);
    EXPECT_FALSE(fs::exists(own("kite.desktop")));
    fs::copy_file(installed("owl.desktop"), root / "own/owl.desktop");
    EXPECT_EQ(always_start_privately("../owl", {}).error().code, ErrorCode::NotFound);
    EXPECT_EQ(read_file(root / "own/owl.desktop"), owl);
}

TEST_F(PrivateLauncher, OptionsAreQuoted)
{
    ASSERT_TRUE(always_start_privately("dove", {"--name", "50% \"of\" $it"}));
    EXPECT_TRUE(holds(own("dove.desktop"), R"(Exec=tacet run "--name" "50%% \\"of\\" \\$it" -- true)"));
    ASSERT_TRUE(start_publicly_again("dove"));
}

} // namespace
} // namespace tacet
