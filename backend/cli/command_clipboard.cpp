// SPDX-License-Identifier: GPL-3.0-or-later
// session paste, copy: text crosses the border of a private session only so.
#include "cli/commands.h"
#include "cli/desktop_clipboard.h"
#include "cli/display_socket.h"
#include "cli/failures.h"
#include "cli/output.h"
#include "contract/codes.h"

namespace tacet::cli {
namespace {

int cross(const Arguments& arguments, void (*carry)(std::uint64_t session))
{
    try {
        carry(to_number(arguments.operands().front(), UINT64_MAX));
    } catch (const NoSuchDisplay& error) {
        print_failure(arguments.has("json"), contract::error_name(contract::ErrorCode::NoSuchSession), error.what());
        return exit_not_found;
    }
    if (arguments.has("json"))
        print_json(Json::object());
    return exit_ok;
}

int run_session_paste(const Arguments& arguments)
{
    return cross(arguments, [](std::uint64_t session) { ask_paste(session, read_desktop_clipboard()); });
}

int run_session_copy(const Arguments& arguments)
{
    return cross(arguments, [](std::uint64_t session) { offer_desktop_clipboard(ask_copy(session)); });
}

} // namespace

std::span<const Command> clipboard_commands()
{
    static const std::vector<Command> commands{
        {"session paste",
         "give the clipboard's text to a private session",
         {json},
         {{values::id, "the session, as session list shows it"}},
         run_session_paste,
         "  tacet session paste 3"},
        {"session copy",
         "take the text in a private session's clipboard out",
         {json},
         {{values::id, "the session, as session list shows it"}},
         run_session_copy,
         "  tacet session copy 3"},
    };
    return commands;
}

} // namespace tacet::cli
