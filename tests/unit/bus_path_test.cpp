// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "common/bus_path.h"
#include "common/text.h"

namespace tacet {
namespace {

TEST(BusPath, TextIsThePathItself)
{
    for (const char* path : {"/home/a/b.csv", "/with space/100%", "/gr\xc3\xbc\xc3\x9f", "/file://x"}) {
        EXPECT_EQ(path_to_bus(path), path);
        EXPECT_EQ(path_from_bus(path), path);
    }
}

TEST(BusPath, OtherBytesTravelAsUri)
{
    EXPECT_EQ(path_to_bus("/a b/50%\xff"), "file:///a%20b/50%25%FF");
    EXPECT_EQ(path_from_bus("file:///a%20b/50%25%ff"), "/a b/50%\xff");
}

TEST(BusPath, EveryByteComesBack)
{
    std::string path = "/";
    for (int byte = 1; byte < 256; ++byte)
        path += static_cast<char>(byte);
    EXPECT_TRUE(is_utf8(path_to_bus(path)));
    EXPECT_EQ(path_from_bus(path_to_bus(path)), path);
}

TEST(BusPath, BrokenUriIsNoAbsolutePath)
{
    for (const char* text : {"file:///a%", "file:///a%f", "file:///a%zz", "file:///a%-1"})
        EXPECT_EQ(path_from_bus(text), text);
    EXPECT_EQ(path_from_bus("file://host/a"), "host/a");
}

} // namespace
} // namespace tacet
