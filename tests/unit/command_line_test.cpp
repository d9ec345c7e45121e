// SPDX-License-Identifier: GPL-3.0-or-later
// How the words of the command line are understood, and what is said about those that are not.
#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

#include "cli/completion.h"
#include "cli/suggestions.h"

namespace tacet::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using Words = std::vector<std::string>;

struct Parsed {
    std::string command;
    Arguments arguments;
};

Parsed parse(const Words& words)
{
    CommandLine line(all_commands(), "tacet 1");
    const auto [command, arguments] = line.parse(words);
    return {command->name, arguments};
}

// The complaint.
std::string refused(const Words& words)
{
    try {
        parse(words);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

std::string shown(const Words& words)
{
    try {
        parse(words);
    } catch (const TextAsked& text) {
        return text.what();
    }
    return "nothing";
}

TEST(CommandLine, FindsCommandOptionsAndOperands)
{
    const auto [command, arguments] = parse({"label", "add", "a", "--category=finance", "b", "--recursive"});
    EXPECT_EQ(command, "label add");
    EXPECT_THAT(arguments.operands(), ElementsAre("a", "b"));
    EXPECT_EQ(arguments.value("category"), "finance");
    EXPECT_TRUE(arguments.has("recursive"));
    EXPECT_FALSE(arguments.has("json"));
}

// CLI11 gives a meaning to some of these.
TEST(CommandLine, NamesOfFilesStayAsTheyAre)
{
    const Words names{"[a,b]", "{}", "%%", "add", "rule", "label.add", "a=b", "-", "[]", "\xff"};
    Words words{"label", "add"};
    words.insert(words.end(), names.begin(), names.end());
    EXPECT_EQ(parse(words).arguments.operands(), names);
    EXPECT_THAT(parse({"label", "add", "{}"}).arguments.operands(), ElementsAre("{}"));
}

TEST(CommandLine, AfterTwoDashesAllAreOperands)
{
    EXPECT_THAT(parse({"label", "add", "a", "--", "--json", "++", "--", "-x"}).arguments.operands(),
                ElementsAre("a", "--json", "++", "--", "-x"));
}

TEST(CommandLine, ProgramKeepsItsOwnOptions)
{
    const auto [command, arguments] = parse({"run", "--name", "n", "sh", "--keep", "--", "-c", "log"});
    EXPECT_THAT(arguments.operands(), ElementsAre("sh", "--keep", "--", "-c", "log"));
    EXPECT_FALSE(arguments.has("keep"));
    EXPECT_THAT(parse({"run", "--", "--strange"}).arguments.operands(), ElementsAre("--strange"));
    EXPECT_THAT(refused({"run", "--strange", "sh"}), HasSubstr("unknown option --strange"));
}

TEST(CommandLine, ValueMayNotBeEmptyOrMissing)
{
    for (const Words& words : {Words{"--host="}, Words{"--host", ""}, Words{"--host=", "--port", "5"}}) {
        Words all{"rule", "add", "block"};
        all.insert(all.end(), words.begin(), words.end());
        EXPECT_THAT(refused(all), HasSubstr("--host: the value is empty"));
    }
    EXPECT_THAT(refused({"rule", "add", "block", "--host", "--port", "5"}), HasSubstr("missing before --port"));
    EXPECT_EQ(refused({"rule", "add", "block", "--host"}), "--host needs a value");
    EXPECT_EQ(refused({"label", "list", "--json=yes"}), "--json takes no value");
    EXPECT_THAT(refused({"rule", "add", "block", "--host", "\xff"}), HasSubstr("not valid UTF-8"));
    // The app gives it, also when a program has none.
    EXPECT_EQ(parse({"run", "--name", "", "sh"}).arguments.value("name"), "");
    EXPECT_EQ(parse({"breach", "answer", "5", "allow", "--label="}).arguments.value("label"), "");
}

TEST(CommandLine, OptionIsGivenOnce)
{
    EXPECT_EQ(refused({"rule", "add", "block", "--host", "a", "--host", "b"}), "--host is given more than once");
    EXPECT_THAT(refused({"rule", "add", "block", "--host", "a", "--any-host"}), HasSubstr("excludes"));
    EXPECT_THAT(refused({"rule", "add", "block", "--file", "/a", "--label", "mail"}), HasSubstr("excludes"));
}

TEST(CommandLine, WhatIsMissingOrTooMuchIsNamed)
{
    EXPECT_EQ(refused({"label", "add"}), "PATH is required");
    EXPECT_EQ(refused({"breach", "answer", "5"}), "VERDICT is required");
    EXPECT_EQ(refused({"status", "now"}), "too many words: now");
    EXPECT_EQ(refused({"label"}), "say what to do: add, remove, show, list, guard");
}

TEST(CommandLine, SlipsAreGuessed)
{
    EXPECT_EQ(refused({"lable", "add", "x"}), "no command \"lable\"; did you mean \"label\"?");
    EXPECT_EQ(refused({"label", "ad", "x"}), "no command \"label ad\"; did you mean \"label add\"?");
    EXPECT_EQ(refused({"label", "add", "--recusive", "x"}), "unknown option --recusive; did you mean \"--recursive\"?");
    EXPECT_EQ(refused({"nonsense"}), "no command \"nonsense\"");
}

TEST(CommandLine, DistanceCountsSlips)
{
    EXPECT_EQ(distance("label", "label"), 0U);
    EXPECT_EQ(distance("lable", "label"), 1U);
    EXPECT_EQ(distance("labl", "label"), 1U);
    EXPECT_EQ(distance("xlabel", "label"), 1U);
    EXPECT_EQ(distance("mabel", "label"), 1U);
    EXPECT_EQ(distance("", "rule"), 4U);
}

TEST(CommandLine, HelpIsThereForEachCommand)
{
    for (const char* flag : {"-h", "--help"}) {
        EXPECT_THAT(shown({flag}), HasSubstr("label add"));
        EXPECT_THAT(shown({"label", flag}), HasSubstr("label guard"));
        EXPECT_THAT(shown({"label", "add", flag}), HasSubstr("usage: tacet label add [OPTION]... PATH..."));
    }
    EXPECT_EQ(shown({"-V"}), "tacet 1\n");
    EXPECT_EQ(shown({"--version"}), "tacet 1\n");
}

// An example that the parser refuses would teach a mistake.
TEST(CommandLine, ExamplesAreCommands)
{
    for (const Command& command : all_commands()) {
        std::istringstream examples(command.examples);
        std::string line;
        while (std::getline(examples, line)) {
            std::istringstream text(line);
            Words words{std::istream_iterator<std::string>(text), {}};
            ASSERT_THAT(words, Not(IsEmpty())) << command.name;
            words.erase(words.begin()); // tacet
            EXPECT_EQ(parse(words).command, command.name) << line;
        }
        EXPECT_NE(line, "") << command.name;
    }
}

TEST(Completion, OffersCommandsOptionsAndValues)
{
    const auto commands = all_commands();
    EXPECT_THAT(complete(commands, {""}), Contains("label\tsensitive files"));
    EXPECT_THAT(complete(commands, {"la"}), ElementsAre(StartsWith("label\t")));
    EXPECT_THAT(complete(commands, {"label", "r"}), ElementsAre(StartsWith("remove\t")));
    EXPECT_THAT(complete(commands, {"label", "add", "--c"}), ElementsAre(StartsWith("--category\t")));
    EXPECT_THAT(complete(commands, {"label", "add", "--category", "f"}), ElementsAre(StartsWith("finance\t")));
    EXPECT_THAT(complete(commands, {"label", "add", "--category", "=", "f"}), ElementsAre(StartsWith("finance\t")));
    EXPECT_THAT(complete(commands, {"label", "add", "--category=f"}), ElementsAre(StartsWith("--category=finance\t")));
    EXPECT_THAT(complete(commands, {"rule", "add", "all"}), ElementsAre(StartsWith("allow\t")));
    EXPECT_THAT(complete(commands, {"rule", "add", "allow", "--for", ""}), Not(Contains(StartsWith("once"))));
    EXPECT_THAT(complete(commands, {"breach", "answer", "5", "--for", "1h", "b"}), ElementsAre(StartsWith("block\t")));
}

TEST(Completion, LeavesNamesToTheShell)
{
    const auto commands = all_commands();
    EXPECT_THAT(complete(commands, {"label", "add", "a", ""}), ElementsAre(":files"));
    EXPECT_THAT(complete(commands, {"session", "keep", "--to", ""}), ElementsAre(":folders"));
    EXPECT_THAT(complete(commands, {"run", "--keep", ""}), ElementsAre(":programs"));
    EXPECT_THAT(complete(commands, {"run", "sh", "--k"}), ElementsAre(":files"));
    EXPECT_THAT(complete(commands, {"status", ""}), IsEmpty());
    EXPECT_THAT(complete(commands, {"nonsense", ""}), IsEmpty());
}

} // namespace
} // namespace tacet::cli
