// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "common/text.h"

namespace tacet {
namespace {

TEST(Text, Utf8)
{
    for (const char* good : {"", "abc", "gr\xc3\xbc\xc3\x9f", "\xe2\x82\xac", "\xf0\x9f\x94\x92"})
        EXPECT_TRUE(is_utf8(good)) << good;
    for (const char* bad : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\x80"})
        EXPECT_FALSE(is_utf8(bad));
    EXPECT_EQ(to_utf8("a\xff"
                      "b"),
              "a\xef\xbf\xbd"
              "b");
    EXPECT_TRUE(is_utf8(to_utf8("\xe2\x82")));
}

TEST(Text, TerminalCannotBeTalkedTo)
{
    EXPECT_EQ(escape_control("\x1b[31m"), "\\x1b[31m");
    EXPECT_EQ(escape_control("a\nb"), "a\\x0ab");
    EXPECT_EQ(escape_control("\xc2\x9b"), "\\xc2\\x9b");
    EXPECT_EQ(escape_control("\xe2\x80\xae"), "\\xe2\\x80\\xae");
    EXPECT_EQ(escape_control("gr\xc3\xbc\xff"), "gr\xc3\xbc\\xff");
}

TEST(Text, Numbers)
{
    unsigned long long number = 7;
    EXPECT_TRUE(parse_number("42", 100, number));
    EXPECT_EQ(number, 42U);
    for (const char* bad : {"", "-1", "101", "4x", " 4", "99999999999999999999"})
        EXPECT_FALSE(parse_number(bad, 100, number)) << bad;
    EXPECT_EQ(number, 42U);
}

} // namespace
} // namespace tacet
