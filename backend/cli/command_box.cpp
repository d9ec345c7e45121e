// SPDX-License-Identifier: GPL-3.0-or-later
// box list, remove: where private sessions keep their changes for the next one.
#include "cli/client.h"
#include "cli/commands.h"
#include "cli/failures.h"
#include "cli/output.h"
#include "contract/methods.h"

namespace tacet::cli {
namespace {

int run_box_list(const Arguments& arguments)
{
    const Json boxes = to_json(Client().list(contract::sessions::boxes));
    if (arguments.has("json")) {
        print_json(boxes);
        return exit_ok;
    }
    Table table({"NAME", "CHANGED", "TAKES", "OF", "SESSION"});
    for (const Json& box : boxes) {
        const auto session = box["session"].get<std::uint64_t>();
        table.add({box["name"], local_time(box["changed"].get<std::uint64_t>()), size_text(box["used"].get<std::uint64_t>()),
                   size_text(box["size"].get<std::uint64_t>()), session == 0 ? "" : std::to_string(session)});
    }
    table.print();
    return exit_ok;
}

int run_box_remove(const Arguments& arguments)
{
    const std::string& name = arguments.operands().front();
    Client().call(contract::sessions::remove_box, name);
    if (arguments.has("json"))
        print_json(Json::object());
    else
        print_line("the box " + name + " is removed, with all that was in it");
    return exit_ok;
}

} // namespace

std::span<const Command> box_commands()
{
    static const std::vector<Command> commands{
        {"box list",
         "list your boxes, in which private sessions keep their changes",
         {json},
         {},
         run_box_list,
         "  tacet box list"},
        {"box remove",
         "remove a box and all that is in it, for good",
         {json},
         {{values::name, "the box, as box list shows it"}},
         run_box_remove,
         "  tacet box remove work"},
    };
    return commands;
}

} // namespace tacet::cli
