// SPDX-License-Identifier: GPL-3.0-or-later
// always list, add, remove: programs that the desktop's menu starts privately.
#include "cli/commands.h"
#include "cli/failures.h"
#include "cli/output.h"
#include "contract/codes.h"
#include "launchers/private_launcher.h"

namespace tacet::cli {
namespace {

Json to_json(const PrivateLauncher& launcher)
{
    return {{"id", launcher.id}, {"name", launcher.name}, {"command", launcher.command}};
}

int tell(const Arguments& arguments, const Result<PrivateLauncher>& launcher, const char* how)
{
    if (!launcher) {
        const std::string_view name = contract::error_name(launcher.error().code);
        print_failure(arguments.has("json"), name, launcher.error().message);
        return exit_code_of(name);
    }
    if (arguments.has("json"))
        print_json(to_json(*launcher));
    else
        print_line("the menu starts " + launcher->name + " (" + launcher->id + ") " + how);
    return exit_ok;
}

int run_always_list(const Arguments& arguments)
{
    Json list = Json::array();
    Table table({"ID", "NAME", "COMMAND"});
    for (const PrivateLauncher& launcher : private_launchers()) {
        list.push_back(to_json(launcher));
        table.add({launcher.id, launcher.name, launcher.command});
    }
    if (arguments.has("json"))
        print_json(list);
    else
        table.print();
    return exit_ok;
}

int run_always_add(const Arguments& arguments)
{
    std::vector<std::string> options;
    for (const char* const name : {"net", "audio", "screen-reader", "ssh-agent", "store"}) {
        if (const auto value = arguments.value(name))
            options.insert(options.end(), {std::string("--") + name, *value});
    }
    if (arguments.has("keep"))
        options.emplace_back("--keep");
    return tell(arguments, always_start_privately(arguments.operands().front(), options), "privately");
}

int run_always_remove(const Arguments& arguments)
{
    return tell(arguments, start_publicly_again(arguments.operands().front()), "as before");
}

} // namespace

std::span<const Command> always_commands()
{
    static const Operand program{values::program, "a menu entry such as firefox-esr.desktop, or the program that one starts"};
    static const std::vector<Command> commands{
        {"always list", "list programs that the menu starts privately", {json}, {}, run_always_list, "  tacet always list"},
        {"always add",
         "let the menu, links and documents start a program privately",
         {{"--store", "where its changes are kept: memory, disk or auto", values::store},
          {"--keep", "wait at the end, for files to be kept"},
          {"--net", "whether it has the network (on)", values::on_off},
          {"--audio", "whether it may play and record (off)", values::on_off},
          {"--screen-reader", "whether Orca reads its windows to you, which needs sound (off)", values::on_off},
          {"--ssh-agent", "whether it may sign with the keys in your SSH agent (off)", values::on_off},
          json},
         {program},
         run_always_add,
         "  tacet always add firefox-esr\n"
         "  tacet always add --keep --net off org.gnome.Evince.desktop"},
        {"always remove",
         "let the menu start a program as before",
         {json},
         {program},
         run_always_remove,
         "  tacet always remove firefox-esr"},
    };
    return commands;
}

} // namespace tacet::cli
