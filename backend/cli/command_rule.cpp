// SPDX-License-Identifier: GPL-3.0-or-later
// rule list, show, add, remove
#include <cstdint>

#include "cli/authentication.h"
#include "cli/client.h"
#include "cli/commands.h"
#include "cli/failures.h"
#include "cli/output.h"
#include "cli/rule_words.h"
#include "cli/scope.h"
#include "contract/methods.h"

namespace tacet::cli {
namespace {

std::string or_any(const Json& text)
{
    return text.get<std::string>().empty() ? "any" : text.get<std::string>();
}

std::string end_of(const Json& rule)
{
    const auto expires = rule["expires"].get<std::uint64_t>();
    return expires == 0 ? rule["duration"].get<std::string>() : "until " + local_time(expires);
}

std::string subject_of(const Json& rule)
{
    return rule["subject_kind"] == "any" ? "any"
                                         : rule["subject_kind"].get<std::string>() + " " + rule["subject"].get<std::string>();
}

std::string host_of(const Json& rule)
{
    if (is_about_change(rule))
        return "(changes)";
    const int port = rule["port"];
    const std::string sink = rule["sink"];
    return (sink == "network" ? "" : sink + " ") + or_any(rule["host"]) + (port == 0 ? "" : ":" + std::to_string(port));
}

int run_rule_list(const Arguments& arguments)
{
    const Json rules = to_json(Client().list(contract::rules::list));
    if (arguments.has("json")) {
        print_json(rules);
        return exit_ok;
    }
    Table table({"ID", "VERDICT", "FOR", "PROGRAM", "TO", "WHAT"});
    for (const Json& rule : rules)
        table.add({std::to_string(rule["id"].get<std::uint64_t>()), rule["verdict"], end_of(rule), or_any(rule["executable"]),
                   host_of(rule), subject_of(rule)});
    table.print();
    return exit_ok;
}

int run_rule_show(const Arguments& arguments)
{
    const std::uint64_t id = to_number(arguments.operands().front(), UINT64_MAX);
    const Json rule = to_json(Client().fetch<Dictionary>(contract::rules::show, id));
    if (arguments.has("json")) {
        print_json(rule);
        return exit_ok;
    }
    print_line(rule_sentence(rule));
    Table table({"RULE", std::to_string(id)});
    table.add({"verdict", rule["verdict"]});
    table.add({"lasts", end_of(rule)});
    table.add({"what", subject_of(rule)});
    table.add({"program", or_any(rule["executable"])});
    table.add({"to", host_of(rule)});
    table.add({"made", local_time(rule["created"].get<std::uint64_t>())});
    table.add({"used", std::to_string(rule["hits"].get<std::uint64_t>()) + " times"});
    table.print();
    return exit_ok;
}

// A permission for everything is given on purpose only.
void check_breadth(const Arguments& arguments, const Json& rule)
{
    const bool says_each = arguments.has("any-file") && arguments.has("any-executable") && arguments.has("any-host");
    if (has_condition(rule)) {
        if (arguments.has("any"))
            throw UsageError("--any is for a rule without a condition, and this one has one: \"" + rule_sentence(rule) + "\"");
    } else if (rule["verdict"] == "allow" && !arguments.has("any") && !says_each) {
        throw UsageError("this rule has no condition: \"" + rule_sentence(rule) + "\" Give it one, or say --any if you mean it.");
    }
}

int run_rule_add(const Arguments& arguments)
{
    Dictionary request = scope_of(arguments);
    request["verdict"] = sdbus::Variant(arguments.operands().front());
    request["duration"] = sdbus::Variant(arguments.value("for").value_or("always"));
    const Json rule = to_json(request);
    check_breadth(arguments, rule);
    const TerminalAuthentication authentication;
    const std::uint64_t id = Client().fetch<std::uint64_t>(contract::rules::add, request);
    if (arguments.has("json"))
        print_json({{"id", id}, {"sentence", rule_sentence(rule)}});
    else
        print_line("rule " + std::to_string(id) + ": " + rule_sentence(rule));
    return exit_ok;
}

int run_rule_remove(const Arguments& arguments)
{
    const TerminalAuthentication authentication;
    Client client;
    return run_each(arguments, "rule", "removed", [&](std::uint64_t id) { client.call(contract::rules::remove, id); });
}

std::vector<Option> add_options()
{
    std::vector<Option> options = rule_options();
    options.insert(options.begin(), {"--any", "the rule has no condition, and you mean it"});
    return options;
}

} // namespace

std::span<const Command> rule_commands()
{
    static const std::vector<Command> commands{
        {"rule list", "list the rules in force", {json}, {}, run_rule_list, "  tacet rule list"},
        {"rule show",
         "show one rule, when it was made and how often it was used",
         {json},
         {{values::id, "the rule, as rule list shows it"}},
         run_rule_show,
         "  tacet rule show 3"},
        {"rule add",
         "answer questions before they are asked; what is not said means any",
         add_options(),
         {{values::verdict, "block, allow, scrub, takeover or quit"}},
         run_rule_add,
         "  tacet rule add block --executable curl --host example.org\n"
         "  tacet rule add allow --executable syncthing --label photos --host backup.example\n"
         "  tacet rule add scrub --host '*.example.org' --for 1h"},
        {"rule remove",
         "remove rules",
         {json},
         {{values::id, "rules, as rule list shows them", true, true}},
         run_rule_remove,
         "  tacet rule remove 3\n"
         "  tacet rule remove 1 2 3"},
    };
    return commands;
}

} // namespace tacet::cli
