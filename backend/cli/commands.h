// SPDX-License-Identifier: GPL-3.0-or-later
// The commands. Each returns an exit code, and throws UsageError or sdbus::Error.
#pragma once

#include <span>
#include <vector>

#include "cli/arguments.h"
#include "cli/exit_code.h"

namespace tacet::cli {

struct Command {
    const char* name; // "noun verb" or "noun"
    const char* usage;
    const char* help;
    std::vector<OptionRule> options;
    int (*run)(const Arguments& arguments);
    // The words after the first belong to another program.
    bool runs_program = false;
};

inline const OptionRule json{"json"};

std::span<const Command> protection_commands();
std::span<const Command> label_commands();
std::span<const Command> rule_commands();
std::span<const Command> log_commands();
std::span<const Command> session_commands();
std::span<const Command> file_commands();
std::span<const Command> clipboard_commands();

} // namespace tacet::cli
