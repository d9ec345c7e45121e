// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>

#include "cli/suggestions.h"
#include "common/text.h"

namespace tacet::cli {
namespace {

constexpr std::size_t help_width = 26;
// CLI11 fills an operand with the least number of words that it takes. A list takes all: its least never comes. CLI11's own lists
// would take "[a,b]" for two words, and end at "--".
constexpr int list_size = 1 << 20;

constexpr const char* explanation =
    R"(VERDICT   block, allow, scrub (send the scrubbed copy), takeover (send it, and go on with it to the end),
          quit (kill the program)
DURATION  once, process, 15min, 1h, reboot, always; a rule takes the last four

"tacet COMMAND --help" tells more about a command, with examples.

Exit status: 0 done; 1 failure; 2 wrong usage; 3 tacetd is not running; 4 denied; 5 not found;
             6 some failed, the others are done; 7 (status, doctor) something is not enforced;
             8 tacetd did not answer in time; run: the program's own, 125 when it was not started,
             128 and the signal's number when it was killed)";

class HelpFormatter final : public CLI::Formatter {
public:
    HelpFormatter()
    {
        column_width(help_width);
        label("Positionals", "Operands");
    }

    std::string make_description(const CLI::App* app) const override
    {
        std::string text = app->get_description() + ".\n\n";
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
        return text;
    }

    std::string make_option_opts(const CLI::Option* option) const override
    {
        const std::string type = option->get_type_name();
        return type.empty() || option->get_positional() ? "" : " " + type;
    }

    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode /*mode*/) const override
    {
        std::ostringstream text;
        list(text, *app, app->get_parent() == nullptr ? "" : app->get_name() + " ");
        return text.str().empty() ? "" : "\nCommands:\n" + text.str();
    }

private:
    // The commands of nouns stand among the others.
    void list(std::ostringstream& text, const CLI::App& app, const std::string& before) const
    {
        for (const CLI::App* command : app.get_subcommands({})) {
            if (command->get_subcommands({}).empty())
                CLI::detail::format_help(text, before + command->get_name(), command->get_description(), column_width_);
            else
                list(text, *command, before + command->get_name() + " ");
        }
    }
};

std::string usage_of(const Command& command)
{
    std::string usage = std::string("usage: tacet ") + command.name + " [OPTION]...";
    for (const Operand& operand : command.operands) {
        const std::string name = operand.value.name;
        usage += " " + (operand.is_required ? name : "[" + name + "]") + (operand.is_list ? "..." : "");
    }
    return usage;
}

// Returns what is wrong with a value, or nothing.
std::string judge(const CLI::App& app, const Option& option, const std::string& value)
{
    if (value.empty() && !option.may_be_empty)
        return "the value is empty";
    if (!option.value.is_path() && !is_utf8(value))
        return "not valid UTF-8";
    if (value.starts_with('-') && app.get_option_no_throw(value) != nullptr)
        return "the value is missing before " + value;
    return {};
}

CLI::Option* add_option(CLI::App& app, const Option& option)
{
    if (*option.value.name == '\0') {
        const std::string help = option.help;
        return app.add_flag(option.name, help)->disable_flag_override();
    }
    CLI::Option* added = app.add_option(option.name)->description(option.help)->type_name(option.value.name);
    return added->check([&app, option](const std::string& value) { return judge(app, option, value); });
}

void add_operand(CLI::App& app, const Operand& operand)
{
    CLI::Option* added = app.add_option(operand.value.name)->description(operand.help)->required(operand.is_required);
    if (operand.is_list)
        added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->expected(list_size);
    if (!operand.value.is_path())
        added->check([](const std::string& word) { return is_utf8(word) ? "" : "not valid UTF-8"; });
}

void fill(CLI::App& app, const Command& command)
{
    std::map<std::string, std::vector<CLI::Option*>> groups;
    for (const Operand& operand : command.operands)
        add_operand(app, operand);
    for (const Option& option : command.options) {
        CLI::Option* added = add_option(app, option);
        if (*option.group == '\0')
            continue;
        for (CLI::Option* other : groups[option.group])
            added->excludes(other);
        groups[option.group].push_back(added);
    }
    app.usage(usage_of(command));
    app.footer(std::string("Examples:\n") + command.examples);
    app.positionals_at_end(command.runs_program);
}

// "--host=": CLI11 would take the next word for the value.
std::vector<std::string> split_empty_values(const std::vector<std::string>& words)
{
    std::vector<std::string> split;
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (*word == "--") {
            split.insert(split.end(), word, words.end());
            break;
        }
        const bool is_empty_value = word->size() > 3 && word->starts_with("--") && word->ends_with('=');
        split.push_back(is_empty_value ? word->substr(0, word->size() - 1) : *word);
        if (is_empty_value)
            split.emplace_back();
    }
    return split;
}

std::string explain_unknown(const CLI::App& app, const std::string& word)
{
    std::vector<std::pair<std::string, std::string>> known;
    if (word.starts_with('-')) {
        for (const CLI::Option* option : app.get_options()) {
            for (const std::string& name : option->get_lnames())
                known.emplace_back("--" + name, "--" + name);
        }
        const std::string name = word.substr(0, word.find('='));
        return "unknown option " + name + suggest(name, known);
    }
    const auto commands = app.get_subcommands({});
    if (commands.empty())
        return "too many words: " + word;
    const std::string before = app.get_parent() == nullptr ? "" : app.get_name() + " ";
    for (const CLI::App* command : commands)
        known.emplace_back(command->get_name(), before + command->get_name());
    return "no command \"" + before + word + "\"" + suggest(word, known);
}

std::string explain_mismatch(const CLI::App& app, const std::string& text)
{
    std::string name = text.substr(0, text.find_first_of(": "));
    if (!name.starts_with('-'))
        name.insert(0, "--");
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option == nullptr)
        return text;
    if (option->get_expected_max() == 0)
        return name + " takes no value";
    return name + (option->count() > 1 ? " is given more than once" : " needs a value");
}

std::string explain_missing(const CLI::App& app, const std::string& text)
{
    std::string verbs;
    for (const CLI::App* command : app.get_subcommands({}))
        verbs += (verbs.empty() ? "" : ", ") + command->get_name();
    return verbs.empty() ? text : "say what to do: " + verbs;
}

// CLI11's own words name its classes and types.
std::string explain(const CLI::App& root, const CLI::ParseError& error)
{
    // The first: a value that is missing makes the word that stands in its place one too many.
    if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr)
        return error.what();
    const CLI::App* app = &root;
    for (;; app = app->get_subcommands().back()) {
        const auto left = app->remaining();
        const auto unknown = std::ranges::find_if(left, [](const std::string& word) { return word != "--"; });
        if (unknown != left.end())
            return explain_unknown(*app, *unknown);
        if (app->get_subcommands().empty())
            break;
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        return explain_mismatch(*app, error.what());
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
        return explain_missing(*app, error.what());
    return error.what();
}

} // namespace

struct CommandLine::Parser {
    CLI::App app{"label sensitive files, and decide what programs may do with them", "tacet"};
    std::map<std::string, CLI::App*> nouns;
    std::map<const CLI::App*, const Command*> commands;

    explicit Parser(const std::string& version)
    {
        app.formatter(std::make_shared<HelpFormatter>());
        app.set_help_flag("-h,--help", "show this help");
        app.require_subcommand(1);
        app.usage("usage: tacet COMMAND [OPTION]... [OPERAND]...");
        app.set_version_flag("-V,--version", version, "show the version");
    }

    void add(const Command& command)
    {
        const std::string name = command.name;
        const std::size_t space = name.find(' ');
        CLI::App& parent = space == std::string::npos ? app : noun(name.substr(0, space));
        CLI::App* added = parent.add_subcommand(name.substr(space == std::string::npos ? 0 : space + 1), command.help);
        fill(*added, command);
        commands[added] = &command;
    }

    CLI::App& noun(const std::string& name)
    {
        CLI::App*& known = nouns[name];
        if (known == nullptr) {
            known = app.add_subcommand(name, help_of_noun(name));
            known->usage("usage: tacet " + name + " COMMAND [OPTION]... [OPERAND]...")->require_subcommand(1);
        }
        return *known;
    }

    const CLI::App& parsed() const
    {
        const CLI::App* deepest = &app;
        while (!deepest->get_subcommands().empty())
            deepest = deepest->get_subcommands().back();
        return *deepest;
    }
};

CommandLine::CommandLine(std::vector<Command> commands, const std::string& version)
    : commands_(std::move(commands)), parser_(std::make_unique<Parser>(version))
{
    for (const Command& command : commands_)
        parser_->add(command);
    parser_->app.footer(explanation);
}

CommandLine::~CommandLine() = default;

std::pair<const Command*, Arguments> CommandLine::parse(std::vector<std::string> words)
{
    words = split_empty_values(words);
    std::ranges::reverse(words); // as CLI11 wants them
    try {
        parser_->app.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
        throw TextAsked(parser_->app.help());
    } catch (const CLI::CallForVersion& version) {
        throw TextAsked(version.what() + std::string("\n"));
    } catch (const CLI::ParseError& error) {
        throw UsageError(explain(parser_->app, error));
    }
    const CLI::App& app = parser_->parsed();
    std::vector<std::string> operands;
    std::map<std::string, std::string> options;
    for (const CLI::Option* option : app.get_options([](const CLI::Option* each) { return each->count() > 0; })) {
        // The words as they are: CLI11's conversions would give a meaning to "{}", which is a name like others.
        if (option->get_positional())
            operands.insert(operands.end(), option->results().begin(), option->results().end());
        else
            options[option->get_lnames().front()] = option->get_expected_max() == 0 ? "" : option->results().front();
    }
    return {parser_->commands.at(&app), Arguments(std::move(operands), std::move(options))};
}

std::string CommandLine::help() const
{
    return parser_->app.help();
}

std::string CommandLine::usage() const
{
    return parser_->parsed().get_usage();
}

} // namespace tacet::cli
