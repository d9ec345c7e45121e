// SPDX-License-Identifier: GPL-3.0-or-later
// Whose heap libtacet-heap.so clears, told by the executable.
#include "common/heap_reach.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "temporary_directory.h"

namespace tacet {
namespace {

namespace fs = std::filesystem;

class HeapReach : public ::testing::Test {
protected:
    // Returns the path of a copy of this test's own program.
    std::string copy(const std::string& name, mode_t mode = 0755)
    {
        const std::string path = folder / name;
        fs::copy_file("/proc/self/exe", path);
        chmod(path.c_str(), mode);
        return path;
    }

    TemporaryDirectory folder;
};

TEST_F(HeapReach, ProgramsWithTheLibrarysAllocatorAreCleared)
{
    EXPECT_TRUE(is_heap_reached(copy("vault")));
}

TEST_F(HeapReach, BrowsersAndInterpretersManageTheirMemoryThemselves)
{
    for (const char* name : {"firefox-esr", "chromium", "thunderbird-bin", "java", "python3.13"})
        EXPECT_FALSE(is_heap_reached(copy(name))) << name;
}

TEST_F(HeapReach, WhatCannotLoadItIsNotCleared)
{
    EXPECT_FALSE(is_heap_reached(copy("raised", 04755)));
    EXPECT_FALSE(is_heap_reached(copy("group", 02755)));
    EXPECT_FALSE(is_heap_reached(folder / "absent"));
    const std::string fifo = folder / "fifo";
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    EXPECT_FALSE(is_heap_reached(fifo));
    // Without a segment that names a dynamic linker.
    const std::string fixed = copy("static");
    std::fstream(fixed, std::ios::in | std::ios::out | std::ios::binary).seekp(56).write("\0\0", 2);
    EXPECT_FALSE(is_heap_reached(fixed));
    // With another linker's name in its place.
    const std::string bringing = copy("bringing");
    std::fstream file(bringing, std::ios::in | std::ios::out | std::ios::binary);
    std::string start(4096, '\0');
    ASSERT_TRUE(file.read(start.data(), static_cast<std::streamsize>(start.size())));
    file.seekp(static_cast<std::streamoff>(start.find("/lib64/ld-linux"))).write("/opt", 4);
    file.close();
    EXPECT_FALSE(is_heap_reached(bringing));
    const std::string old = copy("old");
    std::fstream(old, std::ios::in | std::ios::out | std::ios::binary).seekp(4).write("\1", 1);
    EXPECT_FALSE(is_heap_reached(old));
    for (const std::string& content :
         {std::string(), std::string("#!/bin/sh\n"), std::string("\177ELF"), std::string(5000, '\377')}) {
        EXPECT_FALSE(is_heap_reached(folder.write("odd", content)));
    }
}

} // namespace
} // namespace tacet
