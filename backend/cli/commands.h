// SPDX-License-Identifier: GPL-3.0-or-later
// The commands: one table for the parser, the help and the shells' completion. Each runs with what it was given, returns an exit
// code, and throws UsageError, sdbus::Error or std::runtime_error.
#pragma once

#include <span>
#include <vector>

#include "cli/arguments.h"
#include "cli/exit_code.h"
#include "cli/values.h"

namespace tacet::cli {

struct Option {
    const char* name; // with its dashes
    const char* help;
    Value value = {};          // without a name the option is a flag
    const char* group = "";    // options of one group exclude each other
    bool may_be_empty = false; // its value
};

struct Operand {
    Value value;
    const char* help;
    bool is_required = true;
    bool is_list = false; // takes all that follow
};

struct Command {
    const char* name; // "noun verb" or "noun"
    const char* help;
    std::vector<Option> options;
    std::vector<Operand> operands;
    int (*run)(const Arguments& arguments);
    const char* examples;
    bool runs_program = false; // the words after its first operand belong to another program
};

inline constexpr Option json{"--json", "print one JSON value"};

std::span<const Command> protection_commands();
std::span<const Command> label_commands();
std::span<const Command> question_commands();
std::span<const Command> rule_commands();
std::span<const Command> log_commands();
std::span<const Command> session_commands();
std::span<const Command> always_commands();
std::span<const Command> box_commands();
std::span<const Command> memory_commands();
std::span<const Command> file_commands();
std::span<const Command> clipboard_commands();

// All of them, in the order of the help.
std::vector<Command> all_commands();
// What the commands of a noun are about; empty for a word that is no noun.
const char* help_of_noun(std::string_view noun);

} // namespace tacet::cli
