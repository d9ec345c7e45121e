// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <array>

#include "cli/terminal_filter.h"

namespace tacet::cli {
namespace {

std::string filtered(std::string_view text, bool is_utf8 = true)
{
    return TerminalFilter(is_utf8).pass(text);
}

TEST(TerminalFilter, TextColoursAndCursorPass)
{
    for (const std::string_view text :
         {"plain\r\n\ttext\b", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x94\x92", "\x1b[1;31mred\x1b[m", "\x1b[38:2:1:2:3m",
          "\x1b[2J\x1b[10;20H\x1b[K", "\x1b[?1049h\x1b[?25l", "\x1b[2 q", "\x1b(0lqk\x1b(B",
          "\x1b"
          "7\x1b"
          "8",
          "\x1b[6n\x1b[c\x1b[>c", "\x1b]11;?\a", "\x1b[?2004h"})
        EXPECT_EQ(filtered(text), text);
}

TEST(TerminalFilter, WhatActsOutsideOfTheWindowIsLeftOut)
{
    for (const std::string_view sequence : {"\x1b]52;c;c2VjcmV0\a",
                                            "\x1b]52;c;?\x1b\\",
                                            "\x1b]9;notice\a",
                                            "\x1b]777;notify;a;b\a",
                                            "\x1b]99;;a\x1b\\",
                                            "\x1b]1337;File=:AAAA\a",
                                            "\x1b]7;file:///\a",
                                            "\x1b]8;;http://host/\a",
                                            "\x1b]50;font\a",
                                            "\x1bP$qm\x1b\\",
                                            "\x1bP+q544e\x1b\\",
                                            "\x1b_Gf=100;AAAA\x1b\\",
                                            "\x1b^private\x1b\\",
                                            "\x1bXstring\x1b\\",
                                            "\x1b[21t",
                                            "\x1b[20t",
                                            "\x1b[8;50;100t",
                                            "\x1b[5i",
                                            "\x1b[?4i",
                                            "\x1b[1;1;1;1;1;1*y",
                                            "\x1b[1$w",
                                            "\x1b[?1S",
                                            "\x05"})
        EXPECT_EQ(filtered("a" + std::string(sequence) + "b"), "ab");
}

TEST(TerminalFilter, EightBitControlsAreControls)
{
    EXPECT_EQ(filtered("a\x9b"
                       "21tb"),
              "a21tb");
    EXPECT_EQ(filtered("a\xc2\x9d"
                       "52;c;x\ab"),
              "a52;c;x\ab");
    EXPECT_EQ(filtered("a\xe0\x82\x9d"
                       "b"),
              "a\xe0"
              "b");
    EXPECT_EQ(filtered("\xe2"
                       "A\x9b"),
              "\xe2"
              "A");
    EXPECT_EQ(filtered("\xc2\xa9"), "\xc2\xa9");
    EXPECT_EQ(filtered("\xe2\x9b\x84", false), "\xe2");
}

TEST(TerminalFilter, SequencesAreKnownWhereverTheyAreCut)
{
    const std::string text = "a\x1b[1mb\x1b]52;c;xyz\x1b\\c\x1b]0;title\ad\x1b[21te\xe2\x82\xac\x1b[?1000h";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        TerminalFilter filter(true);
        std::string passed = filter.pass(text.substr(0, cut));
        passed += filter.pass(text.substr(cut));
        EXPECT_EQ(passed, filtered(text)) << cut;
    }
}

TEST(TerminalFilter, TitlesAreMarked)
{
    EXPECT_EQ(filtered("\x1b]0;letter\a"), "\x1b[22;0t\x1b]0;Private: letter\a");
    EXPECT_EQ(filtered("\x1b]2;a\x9bz\x1b\\"), "\x1b[22;0t\x1b]2;Private: az\a");
    EXPECT_LT(filtered("\x1b]2;" + std::string(1'000'000, 'x') + "\a").size(), 2'000U);
}

TEST(TerminalFilter, SequencesHaveALimit)
{
    EXPECT_EQ(filtered("\x1b[" + std::string(255, '1') + "m").size(), 258U);
    EXPECT_EQ(filtered("\x1b[" + std::string(1'000, '1') + "m").find('\x1b'), std::string::npos);
    EXPECT_EQ(filtered("\x1b]52;c;" + std::string(1'000'000, 'x') + "\x1b[mend"), "\x1b[mend");
}

TEST(TerminalFilter, WhatIsLeftSwitchedOnIsUndone)
{
    TerminalFilter filter(true);
    filter.pass("only text\n");
    EXPECT_EQ(filter.undo(), "");
    filter.pass("\x1b[?1049;1000h\x1b[?25l\x1b[?2004h\x1b[?2004l\x1b[2;5r\x1b]0;x\a");
    EXPECT_EQ(filter.undo(), "\x1b[?1000l\x1b[?1049l\x1b[?25h\x1b"
                             "7\x1b[r\x1b"
                             "8\x1b[23;0t\x1b[m\x1b(B\x0f");
    EXPECT_EQ(filter.undo(), "");
}

} // namespace
} // namespace tacet::cli
