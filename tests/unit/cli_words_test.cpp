// SPDX-License-Identifier: GPL-3.0-or-later
// What the command line says about rules and failures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/failures.h"
#include "cli/remedies.h"
#include "cli/rule_words.h"
#include "contract/codes.h"

namespace tacet::cli {
namespace {

sdbus::Error error(const std::string& name, const std::string& message = "")
{
    return sdbus::Error(sdbus::Error::Name(name), message);
}

TEST(RuleWords, SayWhatTheRuleDoes)
{
    EXPECT_EQ(rule_sentence({{"verdict", "allow"}, {"duration", "always"}}),
              "Allow any program to send any sensitive data to any host: always.");
    EXPECT_EQ(rule_sentence({{"verdict", "block"},
                             {"duration", "15min"},
                             {"executable", "/usr/bin/curl"},
                             {"subject_kind", "file"},
                             {"subject", "/a"},
                             {"host", "h"},
                             {"port", 80}}),
              "Block /usr/bin/curl from sending data from /a to h, port 80: for 15 minutes.");
    EXPECT_EQ(
        rule_sentence({{"verdict", "scrub"}, {"duration", "1h"}, {"subject_kind", "label"}, {"subject", "mail"}, {"port", 80}}),
        "When any program sends data of the category \"mail\" to port 80 of any host, send the scrubbed copy instead: for 1 "
        "hour.");
    EXPECT_EQ(
        rule_sentence({{"verdict", "takeover"}, {"duration", "reboot"}, {"subject_kind", "folder"}, {"subject", "/d"}}),
        "Continue any program on scrubbed data when it is about to send data from files in /d to any host: until the computer "
        "restarts.");
    EXPECT_EQ(rule_sentence({{"verdict", "quit"}, {"duration", "always"}, {"sink", "marked"}}),
              "Quit any program when it is about to change any sensitive file: always.");
    EXPECT_EQ(rule_sentence({{"verdict", "allow"}, {"duration", "always"}, {"sink", "device"}, {"host", "/dev/ttyS0"}}),
              "Allow any program to send any sensitive data to the device /dev/ttyS0: always.");
    EXPECT_EQ(rule_sentence({{"verdict", "allow"}, {"duration", "always"}, {"sink", "file"}, {"host", "/media/stick"}}),
              "Allow any program to send any sensitive data to the file or folder /media/stick: always.");
    EXPECT_EQ(rule_sentence({{"verdict", "block"}, {"duration", "always"}, {"sink", "device"}}),
              "Block any program from sending any sensitive data to any device: always.");
}

TEST(RuleWords, KnowAConditionWhenTheySeeOne)
{
    EXPECT_FALSE(has_condition({{"verdict", "allow"}, {"subject_kind", "any"}, {"host", ""}, {"port", 0}, {"sink", "marked"}}));
    for (const Json& condition :
         {Json{{"subject_kind", "label"}}, Json{{"executable", "/a"}}, Json{{"host", "h"}}, Json{{"port", 1}}})
        EXPECT_TRUE(has_condition(condition)) << condition;
}

TEST(Failures, TimeOutIsNotAbsence)
{
    const std::string bus = "org.freedesktop.DBus.Error.";
    for (const auto& late : {error(bus + "Timeout"), error(bus + "TimedOut"), error("System.Error.ETIMEDOUT"),
                             error(bus + "NoReply", "Message did not receive a reply (timeout by message bus)")}) {
        EXPECT_TRUE(means_timeout(late) && !means_absent(late)) << late.getName();
        EXPECT_EQ(exit_code_of(late), exit_timeout);
        EXPECT_EQ(message_of(late), "tacetd did not answer in time");
    }
    for (const auto& absent :
         {error(bus + "ServiceUnknown"), error(bus + "Spawn.ChildExited"), error("System.Error.ECONNREFUSED"),
          error(bus + "NoReply", "Message recipient disconnected from message bus without replying")}) {
        EXPECT_TRUE(means_absent(absent) && !means_timeout(absent)) << absent.getName();
        EXPECT_EQ(exit_code_of(absent), exit_daemon_absent);
        EXPECT_EQ(message_of(absent), "tacetd is not running");
    }
    EXPECT_EQ(exit_code_of(error("org.tacet.Error.NoSuchRule")), exit_not_found);
}

TEST(Remedies, EachCodeHasOne)
{
    for (const std::string_view code : contract::protection_detail_words)
        EXPECT_NE(remedy_of(code), "") << code;
    EXPECT_NE(remedy_of(daemon_absent), "");
    EXPECT_NE(remedy_of(daemon_silent), "");
    EXPECT_EQ(remedy_of(""), "");
}

} // namespace
} // namespace tacet::cli
