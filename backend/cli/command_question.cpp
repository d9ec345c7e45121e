// SPDX-License-Identifier: GPL-3.0-or-later
// breach list, answer
#include <cstdint>

#include "cli/authentication.h"
#include "cli/client.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/scope.h"
#include "contract/methods.h"

namespace tacet::cli {
namespace {

int run_breach_list(const Arguments& arguments)
{
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
    const auto id = to_number(arguments.operands()[0], UINT64_MAX);
    const Dictionary scope = scope_of(arguments);
    const TerminalAuthentication authentication;
    const auto [rule, resolved] = Client().fetch<std::tuple<std::uint64_t, std::uint32_t>>(
        contract::breaches::answer, id, arguments.operands()[1], arguments.value("for").value_or("once"), scope);
    if (arguments.has("json"))
        print_json({{"rule", rule}, {"resolved", resolved}});
    else
        print_line("settled " + std::to_string(resolved) + (rule == 0 ? "" : ", rule " + std::to_string(rule)));
    return exit_ok;
}

} // namespace

std::span<const Command> question_commands()
{
    static const std::vector<Command> commands{
        {"breach list", "list open questions", {json}, {}, run_breach_list, "  tacet breach list"},
        {"breach answer",
         "answer a question; what is not said is taken from it",
         answer_options(),
         {{values::id, "the question, as breach list shows it"}, {values::verdict, "block, allow, scrub, takeover or quit"}},
         run_breach_answer,
         "  tacet breach answer 5 block\n"
         "  tacet breach answer 5 allow --for 1h --label finance"},
    };
    return commands;
}

} // namespace tacet::cli
