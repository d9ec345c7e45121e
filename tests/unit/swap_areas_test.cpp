// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "common/swap_areas.h"

namespace tacet {
namespace {

constexpr const char* head = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";

SwapState judge(const std::string& areas)
{
    return judge_swap(head + areas, [](const std::string& area) { return area == "/dev/dm-0"; });
}

TEST(SwapAreas, AreEncryptedOnlyWhenAllAre)
{
    EXPECT_EQ(judge(""), SwapState::None);
    EXPECT_EQ(judge("/dev/dm-0 partition\t524284\t0\t-2\n"), SwapState::Encrypted);
    EXPECT_EQ(judge("/dev/dm-0\tpartition\t524284\t0\t-2\n/swapfile file\t524284\t0\t-3\n"), SwapState::Plain);
    EXPECT_EQ(judge("/dev/dm-01 partition\t524284\t0\t-2\n"), SwapState::Plain);
}

TEST(SwapAreas, WhatCannotBeReadIsPlain)
{
    EXPECT_EQ(judge_swap("", [](const std::string&) { return true; }), SwapState::Plain);
}

} // namespace
} // namespace tacet
