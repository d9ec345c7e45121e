// SPDX-License-Identifier: GPL-3.0-or-later
// tacet: the command line of tacetd.
#include <iostream>
#include <optional>

#include "cli/client.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "contract/codes.h"

namespace {

using namespace tacet::cli;

std::vector<Command> commands()
{
    std::vector<Command> all;
    for (const auto& some : {protection_commands(), label_commands(), rule_commands(), log_commands(), session_commands(),
                             file_commands(), clipboard_commands()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

void print_help()
{
    std::cout << "usage: tacet COMMAND [--json] ...\n\n";
    Table table({"COMMAND", ""});
    for (const Command& command : commands())
        table.add({std::string("  ") + command.name + (*command.usage != '\0' ? " " : "") + command.usage, command.help});
    table.print();
    std::cout << "\n"
                 "KIND      mail, finance, keys, photos, health, custom (default)\n"
                 "VERDICT   block, allow, scrub (send the scrubbed copy), takeover (send it, and go on with it to the end),\n"
                 "          quit (kill the program)\n"
                 "DURATION  once, process, 15min, 1h, reboot, always; a rule takes the last four\n"
                 "SCOPE     --file PATH | --folder PATH | --label KIND | --any-file, --executable PATH | --any-executable,\n"
                 "          --host ADDRESS-OR-NAME | --any-host, --port N | --any-port;\n"
                 "          what is not given is taken from the question, and in a rule means any;\n"
                 "          --changes: a rule about changing sensitive files, without host and port\n"
                 "\n"
                 "Exit status: 0 done; 1 failure; 2 wrong usage; 3 tacetd is not running; 4 denied; 5 not found;\n"
                 "             6 some files failed; 7 (status, doctor) something is not enforced; run: the program's own, 125 "
                 "when it was not\n"
                 "             started, 128 and the signal's number when it was killed\n";
}

int exit_code_of(const sdbus::Error& error)
{
    using tacet::contract::ErrorCode;
    const std::string& name = error.getName();
    if (means_absent(error))
        return exit_daemon_absent;
    if (name == "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired")
        return exit_denied;
    switch (tacet::contract::parse_error(name).value_or(ErrorCode::Failed)) {
    case ErrorCode::AccessDenied:
    case ErrorCode::NotOwner:
        return exit_denied;
    case ErrorCode::NotFound:
    case ErrorCode::NotLabelled:
    case ErrorCode::NoSuchQuestion:
    case ErrorCode::NoSuchRule:
    case ErrorCode::NoSuchSession:
        return exit_not_found;
    case ErrorCode::InvalidArgument:
    case ErrorCode::InvalidCategory:
    case ErrorCode::InvalidDuration:
    case ErrorCode::InvalidPath:
    case ErrorCode::InvalidScope:
    case ErrorCode::InvalidVerdict:
        return exit_usage;
    default:
        return exit_failure;
    }
}

int run_command(const Command& command, const std::vector<std::string>& words)
{
    bool wants_json = false;
    try {
        const Arguments arguments(words, command.options, command.runs_program);
        wants_json = arguments.has("json");
        return command.run(arguments);
    } catch (const UsageError& error) {
        print_error(error.what());
        print_error(std::string("usage: tacet ") + command.name + " " + command.usage);
        return exit_usage;
    } catch (const sdbus::Error& error) {
        const std::string message = means_absent(error) ? "tacetd is not running" : error.getMessage();
        if (wants_json)
            print_json({{"error", error.getName()}, {"message", message}});
        print_error(message);
        return exit_code_of(error);
    }
}

std::optional<Command> find_command(const std::vector<std::string>& words, std::size_t& ret_used)
{
    for (const Command& command : commands()) {
        const std::string name = command.name;
        const bool two = name.find(' ') != std::string::npos;
        ret_used = two ? 2 : 1;
        if (words.size() >= ret_used && name == (two ? words[0] + " " + words[1] : words[0]))
            return command;
    }
    return std::nullopt;
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty() || words.front() == "--help" || words.front() == "help") {
        print_help();
        return words.empty() ? exit_usage : exit_ok;
    }
    if (words.front() == "--version") {
        print_line("tacet " TACET_VERSION);
        return exit_ok;
    }
    std::size_t used = 0;
    const std::optional<Command> command = find_command(words, used);
    if (!command) {
        print_error("no such command; see tacet --help");
        return exit_usage;
    }
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(used));
    try {
        return run_command(*command, words);
    } catch (const std::exception& error) {
        print_error(error.what());
        return exit_failure;
    }
}
