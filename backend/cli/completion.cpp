// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/completion.h"

#include <algorithm>
#include <sstream>

namespace tacet::cli {
namespace {

using Words = std::vector<std::string>;

class Completion {
public:
    explicit Completion(std::string current) : current_(std::move(current)) {}

    void offer(const std::string& word, const std::string& help)
    {
        const std::string line = prefix_ + word + "\t" + help;
        if (line.starts_with(current_) && std::ranges::find(lines_, line) == lines_.end())
            lines_.push_back(line);
    }

    void offer(const Value& value, const char* help)
    {
        for (const std::string_view word : value.words)
            offer(std::string(word), help);
        if (value.offer == Offer::Files)
            lines_.emplace_back(":files");
        if (value.offer == Offer::Folders)
            lines_.emplace_back(":folders");
        if (value.offer == Offer::Programs)
            lines_.emplace_back(":programs");
    }

    // The words that are offered follow this one in the same word: "--category=".
    void begin_with(const std::string& prefix) { prefix_ = prefix; }
    const std::string& current() const { return current_; }
    Words take() { return std::move(lines_); }

private:
    std::string current_;
    std::string prefix_;
    Words lines_;
};

Words split_name(const Command& command)
{
    std::istringstream text(command.name);
    Words words;
    for (std::string word; text >> word;)
        words.push_back(word);
    return words;
}

bool begins_with(const Words& words, const Words& beginning)
{
    return words.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), words.begin());
}

const Option* find_option(const Command& command, const std::string& name)
{
    const auto found = std::ranges::find(command.options, name, &Option::name);
    return found == command.options.end() ? nullptr : &*found;
}

bool takes_value(const Option* option)
{
    return option != nullptr && *option->value.name != '\0';
}

void complete_name(Completion& completion, const std::vector<Command>& commands, const Words& before)
{
    for (const Command& command : commands) {
        const Words name = split_name(command);
        if (name.size() <= before.size() || !begins_with(name, before))
            continue;
        const std::string& next = name[before.size()];
        completion.offer(next, name.size() == before.size() + 1 ? command.help : help_of_noun(next));
    }
}

// The operands that stand among the words.
Words operands_in(const Command& command, const Words& words)
{
    Words operands;
    for (auto word = words.begin(); word != words.end(); ++word) {
        const bool options_end = command.runs_program && !operands.empty();
        if (options_end || !word->starts_with('-'))
            operands.push_back(*word);
        else if (takes_value(find_option(command, *word)) && word + 1 != words.end())
            ++word;
    }
    return operands;
}

void complete_operand(Completion& completion, const Command& command, std::size_t position)
{
    if (command.runs_program && position > 0)
        completion.offer(values::path, "");
    else if (position < command.operands.size())
        completion.offer(command.operands[position].value, command.operands[position].help);
    else if (!command.operands.empty() && command.operands.back().is_list)
        completion.offer(command.operands.back().value, command.operands.back().help);
}

void complete_in(Completion& completion, const Command& command, const Words& before)
{
    const Option* previous = before.empty() ? nullptr : find_option(command, before.back());
    if (takes_value(previous))
        return completion.offer(previous->value, previous->help);
    const Words operands = operands_in(command, before);
    const bool options_end = command.runs_program && !operands.empty();
    if (options_end || !completion.current().starts_with('-'))
        return complete_operand(completion, command, operands.size());
    const std::size_t equals = completion.current().find('=');
    if (equals != std::string::npos) {
        const Option* option = find_option(command, completion.current().substr(0, equals));
        completion.begin_with(completion.current().substr(0, equals + 1));
        return takes_value(option) ? completion.offer(option->value, option->help) : void();
    }
    for (const Option& option : command.options)
        completion.offer(option.name, option.help);
    completion.offer("--help", "show this help");
}

} // namespace

Words complete(const std::vector<Command>& commands, Words words)
{
    if (words.empty() || words.back() == "=")
        words.emplace_back();
    // bash makes three words of "--category=finance".
    std::erase(words, "=");
    Completion completion(words.back());
    words.pop_back();
    const auto command =
        std::ranges::find_if(commands, [&](const Command& each) { return begins_with(words, split_name(each)); });
    if (command == commands.end()) {
        complete_name(completion, commands, words);
    } else {
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(split_name(*command).size()));
        complete_in(completion, *command, words);
    }
    return completion.take();
}

} // namespace tacet::cli
