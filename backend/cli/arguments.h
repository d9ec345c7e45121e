// SPDX-License-Identifier: GPL-3.0-or-later
// The command line: words, options, and what each command takes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tacet::cli {

struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct OptionRule {
    std::string name; // without dashes
    bool takes_value = false;
};

class Arguments {
public:
    // words: what follows the command. Throws UsageError for an option that is not among the rules.
    // ends_at_word: the first positional word ends the options.
    Arguments(const std::vector<std::string>& words, const std::vector<OptionRule>& rules, bool ends_at_word = false);

    const std::vector<std::string>& positional() const { return positional_; }
    bool has(const std::string& option) const { return options_.contains(option); }
    std::optional<std::string> value(const std::string& option) const;
    // Throws UsageError when it is no number up to limit.
    std::optional<std::uint64_t> number(const std::string& option, std::uint64_t limit) const;
    // Throws UsageError unless there are so many positional words.
    void expect(std::size_t least, std::size_t most) const;

private:
    std::vector<std::string> positional_;
    std::map<std::string, std::string> options_;
};

std::uint64_t to_number(const std::string& word, std::uint64_t limit);

} // namespace tacet::cli
