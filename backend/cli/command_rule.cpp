// SPDX-License-Identifier: GPL-3.0-or-later
// breach list, answer; rule list, add, remove
#include <cstdint>
#include <filesystem>

#include "cli/authentication.h"
#include "cli/client.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "contract/methods.h"

namespace tacet::cli {
namespace {

const std::vector<OptionRule> scope_options{
    {"json"},           {"for", true},  {"file", true}, {"folder", true}, {"label", true}, {"any-file"}, {"executable", true},
    {"any-executable"}, {"host", true}, {"any-host"},   {"port", true},   {"any-port"},    {"changes"}};

constexpr std::uint64_t port_max = 65535;

std::string absolute(const std::string& path)
{
    return std::filesystem::absolute(path).lexically_normal().string();
}

void set_subject(const Arguments& arguments, Dictionary& scope)
{
    int given = 0;
    for (const char* kind : {"file", "folder", "label"}) {
        const auto value = arguments.value(kind);
        if (!value)
            continue;
        ++given;
        scope["subject_kind"] = sdbus::Variant(std::string(kind));
        // "--label=" alone: the question's own.
        if (!value->empty())
            scope["subject"] = sdbus::Variant(std::string(kind) == "label" ? *value : absolute(*value));
    }
    if (arguments.has("any-file")) {
        ++given;
        scope["subject_kind"] = sdbus::Variant(std::string("any"));
    }
    if (given > 1)
        throw UsageError("give one of --file, --folder, --label, --any-file");
}

Dictionary scope_of(const Arguments& arguments)
{
    Dictionary scope;
    set_subject(arguments, scope);
    if (const auto executable = arguments.value("executable"))
        scope["executable"] = sdbus::Variant(absolute(*executable));
    if (arguments.has("any-executable"))
        scope["executable"] = sdbus::Variant(std::string());
    if (const auto host = arguments.value("host"))
        scope["host"] = sdbus::Variant(*host);
    if (arguments.has("any-host"))
        scope["host"] = sdbus::Variant(std::string());
    if (const auto port = arguments.number("port", port_max))
        scope["port"] = sdbus::Variant(static_cast<std::uint16_t>(*port));
    if (arguments.has("changes"))
        scope["changes"] = sdbus::Variant(true);
    if (arguments.has("any-port") || (arguments.has("any-host") && !arguments.has("port")))
        scope["port"] = sdbus::Variant(std::uint16_t{0});
    return scope;
}

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
    if (rule["changes"])
        return "(changes)";
    const int port = rule["port"];
    return or_any(rule["host"]) + (port == 0 ? "" : ":" + std::to_string(port));
}

int run_breach_list(const Arguments& arguments)
{
    arguments.expect(0, 0);
    const Json questions = to_json(Client().list(contract::breaches::list));
    if (arguments.has("json")) {
        print_json(questions);
        return exit_ok;
    }
    for (const Json& question : questions)
        print_line(describe_question(question));
    return exit_ok;
}

int run_breach_answer(const Arguments& arguments)
{
    arguments.expect(2, 2);
    const auto id = to_number(arguments.positional()[0], UINT64_MAX);
    const Dictionary scope = scope_of(arguments);
    const TerminalAuthentication authentication;
    const auto [rule, resolved] = Client().fetch<std::tuple<std::uint64_t, std::uint32_t>>(
        contract::breaches::answer, id, arguments.positional()[1], arguments.value("for").value_or("once"), scope);
    if (arguments.has("json"))
        print_json({{"rule", rule}, {"resolved", resolved}});
    else
        print_line("settled " + std::to_string(resolved) + (rule == 0 ? "" : ", rule " + std::to_string(rule)));
    return exit_ok;
}

int run_rule_list(const Arguments& arguments)
{
    arguments.expect(0, 0);
    const Json rules = to_json(Client().list(contract::rules::list));
    if (arguments.has("json")) {
        print_json(rules);
        return exit_ok;
    }
    Table table({"ID", "VERDICT", "FOR", "PROGRAM", "TO", "WHAT"});
    for (const Json& rule : rules)
        table.add({std::to_string(rule["id"].get<std::uint64_t>()), rule["verdict"], end_of(rule), or_any(rule["executable"]),
                   host_of(rule), subject_of(rule)});
    if (!table.empty())
        table.print();
    return exit_ok;
}

int run_rule_show(const Arguments& arguments)
{
    arguments.expect(1, 1);
    const std::uint64_t id = to_number(arguments.positional().front(), UINT64_MAX);
    const Json rule = to_json(Client().fetch<Dictionary>(contract::rules::show, id));
    if (arguments.has("json")) {
        print_json(rule);
        return exit_ok;
    }
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

int run_rule_add(const Arguments& arguments)
{
    arguments.expect(1, 1);
    Dictionary rule = scope_of(arguments);
    rule["verdict"] = sdbus::Variant(arguments.positional().front());
    rule["duration"] = sdbus::Variant(arguments.value("for").value_or("always"));
    const TerminalAuthentication authentication;
    const std::uint64_t id = Client().fetch<std::uint64_t>(contract::rules::add, rule);
    if (arguments.has("json"))
        print_json({{"id", id}});
    else
        print_line("rule " + std::to_string(id));
    return exit_ok;
}

int run_rule_remove(const Arguments& arguments)
{
    arguments.expect(1, SIZE_MAX);
    std::vector<std::uint64_t> ids;
    for (const std::string& word : arguments.positional())
        ids.push_back(to_number(word, UINT64_MAX));
    const TerminalAuthentication authentication;
    Client client;
    for (const std::uint64_t id : ids)
        client.call(contract::rules::remove, id);
    if (arguments.has("json"))
        print_json({{"removed", ids}});
    return exit_ok;
}

} // namespace

std::span<const Command> rule_commands()
{
    static const std::vector<Command> commands{
        {"breach list", "", "open questions", {json}, run_breach_list},
        {"breach answer", "ID VERDICT [--for DURATION] [SCOPE]", "answer a question", scope_options, run_breach_answer},
        {"rule list", "", "rules in force", {json}, run_rule_list},
        {"rule show", "ID", "one rule, when it was made and how often it was used", {json}, run_rule_show},
        {"rule add", "VERDICT [--for DURATION] [SCOPE]", "answer questions before they are asked", scope_options, run_rule_add},
        {"rule remove", "ID...", "remove rules", {json}, run_rule_remove},
    };
    return commands;
}

} // namespace tacet::cli
