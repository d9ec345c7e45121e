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

class HeapReachOf : public ::testing::Test {
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

TEST_F(HeapReachOf, ProgramsWithTheLibrarysAllocatorAreCleared)
{
    EXPECT_EQ(heap_reach(copy("vault")), HeapReach::Cleared);
}

TEST_F(HeapReachOf, BrowsersAndInterpretersManageTheirMemoryThemselves)
{
    for (const char* name : {"firefox-esr", "chromium", "thunderbird-bin", "java", "python3.13"})
        EXPECT_EQ(heap_reach(copy(name)), HeapReach::OwnAllocator) << name;
}

TEST_F(HeapReachOf, WhatCannotLoadItIsNotCleared)
{
    EXPECT_EQ(heap_reach(copy("raised", 04755)), HeapReach::NotLoaded);
    EXPECT_EQ(heap_reach(copy("group", 02755)), HeapReach::NotLoaded);
    EXPECT_EQ(heap_reach(folder / "absent"), HeapReach::NotLoaded);
    // Without a segment that names a dynamic linker.
    const std::string fixed = copy("static");
    std::fstream(fixed, std::ios::in | std::ios::out | std::ios::binary).seekp(56).write("\0\0", 2);
    EXPECT_EQ(heap_reach(fixed), HeapReach::NotLoaded);
    const std::string old = copy("old");
    std::fstream(old, std::ios::in | std::ios::out | std::ios::binary).seekp(4).write("\1", 1);
    EXPECT_EQ(heap_reach(old), HeapReach::NotLoaded);
    for (const std::string& content :
         {std::string(), std::string("#!/bin/sh\n"), std::string("\177ELF"), std::string(5000, '\377')}) {
        EXPECT_EQ(heap_reach(folder.write("odd", content)), HeapReach::NotLoaded);
    }
}

} // namespace
} // namespace tacet
