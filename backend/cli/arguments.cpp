// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arguments.h"

#include <algorithm>
#include <cstdint>

#include "common/text.h"

namespace tacet::cli {

Arguments::Arguments(const std::vector<std::string>& words, const std::vector<OptionRule>& rules, bool ends_at_word)
{
    bool options_end = false;
    for (std::size_t index = 0; index < words.size(); ++index) {
        const std::string& word = words[index];
        if (options_end || !word.starts_with("--")) {
            positional_.push_back(word);
            options_end = options_end || ends_at_word;
            continue;
        }
        if (word == "--") {
            options_end = true;
            continue;
        }
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
        const auto rule = std::ranges::find(rules, name, &OptionRule::name);
        if (rule == rules.end())
            throw UsageError("unknown option --" + name);
        if (!rule->takes_value && equals != std::string::npos)
            throw UsageError("--" + name + " takes no value");
        if (rule->takes_value && equals == std::string::npos && index + 1 == words.size())
            throw UsageError("--" + name + " needs a value");
        if (equals != std::string::npos)
            options_[name] = word.substr(equals + 1);
        else
            options_[name] = rule->takes_value ? words[++index] : "";
    }
}

std::optional<std::string> Arguments::value(const std::string& option) const
{
    const auto found = options_.find(option);
    return found == options_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> Arguments::number(const std::string& option, std::uint64_t limit) const
{
    const auto text = value(option);
    return text ? std::optional(to_number(*text, limit)) : std::nullopt;
}

void Arguments::expect(std::size_t least, std::size_t most) const
{
    if (positional_.size() < least)
        throw UsageError("something is missing");
    if (positional_.size() > most)
        throw UsageError("too many words: " + positional_[most]);
}

std::uint64_t to_number(const std::string& word, std::uint64_t limit)
{
    unsigned long long number = 0;
    if (!parse_number(word, limit, number))
        throw UsageError("not a number up to " + std::to_string(limit) + ": " + word);
    return number;
}

} // namespace tacet::cli
