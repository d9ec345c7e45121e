// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the command that the words name, and what it is given. CLI11 parses and writes the help.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"

namespace tacet::cli {

// Thrown when a text was asked for instead of a command: help, version.
struct TextAsked : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class CommandLine {
public:
    // version: what --version prints.
    CommandLine(std::vector<Command> commands, const std::string& version);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    // Once. The command belongs to this object. Throws UsageError and TextAsked.
    std::pair<const Command*, Arguments> parse(std::vector<std::string> words);
    // Of what the words named, as far as they were parsed.
    std::string help() const;
    std::string usage() const;

private:
    struct Parser;

    std::vector<Command> commands_;
    std::unique_ptr<Parser> parser_;
};

} // namespace tacet::cli
