// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/ssh_agent_filter.h"

#include <gtest/gtest.h>

namespace tacet::cli {
namespace {

using namespace std::string_literals;

TEST(SshAgentFilter, ReadsALength)
{
    EXPECT_EQ(agent_body_size("\0\0\1\2"s), 258);
    EXPECT_EQ(agent_body_size("\0\4\0\0"s), agent_body_max);
    // Bytes above 127 are no negative numbers.
    EXPECT_EQ(agent_body_size("\0\0\0\xff"s), 255);
}

TEST(SshAgentFilter, RefusesALengthThatNoAgentTakes)
{
    for (const std::string& length : {"\0\0\0\0"s, "\0\4\0\1"s, "\xff\xff\xff\xff"s, "\0\0\1"s, ""s})
        EXPECT_EQ(agent_body_size(length), 0);
}

TEST(SshAgentFilter, AllowsTwoRequestsOnly)
{
    constexpr int types = 256;
    for (int type = 0; type < types; ++type) {
        const std::string body(1, static_cast<char>(type));
        EXPECT_EQ(is_agent_request_allowed(body), type == 11 || type == 13) << type;
        EXPECT_EQ(is_agent_request_allowed(body + "content"), type == 13) << type;
    }
    EXPECT_FALSE(is_agent_request_allowed(""));
}

TEST(SshAgentFilter, AnswersWithAFailure)
{
    EXPECT_EQ(agent_refusal(), "\0\0\0\1\5"s);
}

} // namespace
} // namespace tacet::cli
