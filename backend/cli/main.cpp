// SPDX-License-Identifier: GPL-3.0-or-later
// tacet: the command line of tacetd.
#include <iostream>

#include "cli/client.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace {

using namespace tacet::cli;

const OptionRule json{"json"};
const std::vector<OptionRule> scope_options{
    {"json"},           {"for", true},  {"file", true}, {"folder", true}, {"label", true}, {"any-file"}, {"executable", true},
    {"any-executable"}, {"host", true}, {"any-host"},   {"port", true},   {"any-port"},    {"changes"}};

const std::vector<Command>& commands()
{
    static const std::vector<Command> all{
        {"status", "", "is this machine protected", {json}, run_status},
        {"doctor", "", "each protection: enforced or not, and by what", {json}, run_doctor},
        {"label add",
         "[--category KIND] [--recursive] PATH...",
         "mark files as sensitive",
         {json, {"category", true}, {"recursive"}},
         run_label_add},
        {"label remove", "[--recursive] PATH...", "unmark files", {json, {"recursive"}}, run_label_remove},
        {"label show", "PATH", "what a file is marked as", {json}, run_label_show},
        {"label list", "", "all marked files", {json}, run_label_list},
        {"label guard",
         "[--off] [KIND...]",
         "ask before programs change marked files of these kinds; without a KIND: which they are",
         {json, {"off"}},
         run_label_guard},
        {"breach list", "", "open questions", {json}, run_breach_list},
        {"breach answer", "ID VERDICT [--for DURATION] [SCOPE]", "answer a question", scope_options, run_breach_answer},
        {"rule list", "", "rules in force", {json}, run_rule_list},
        {"rule add", "VERDICT [--for DURATION] [SCOPE]", "answer questions before they are asked", scope_options, run_rule_add},
        {"rule remove", "ID...", "remove rules", {json}, run_rule_remove},
        {"log",
         "[--follow] [--after ID] [--limit N]",
         "decisions",
         {json, {"follow"}, {"after", true}, {"limit", true}},
         run_log},
        {"watch", "", "questions and decisions as they come", {json}, run_watch},
        {"pause", "[MINUTES]", "let everything pass for 1 to 60 minutes (15)", {json}, run_pause},
        {"resume", "", "end the pause", {json}, run_resume},
        {"run",
         "[--name N] [--store memory|disk|auto] [--size BYTES] [--keep] [--net on|off] [--audio on|off] [--display nested|none] "
         "[--] PROGRAM...",
         "run a program privately: nothing that it writes outlives it",
         {{"name", true}, {"store", true}, {"size", true}, {"keep"}, {"net", true}, {"audio", true}, {"display", true}},
         run_run,
         true},
        {"session list", "", "private sessions", {json}, run_session_list},
        {"session files", "ID", "what a private session has created, changed and deleted", {json}, run_session_files},
        {"session keep",
         "[--to DIRECTORY] [--force] ID PATH...",
         "copy files out of a private session",
         {{"to", true}, {"force"}},
         run_session_keep},
        {"session end", "ID... | --all", "end private sessions", {json, {"all"}}, run_session_end},
        {"session paste", "ID", "give the clipboard's text to a private session", {json}, run_session_paste},
        {"session copy", "ID", "take the text in a private session's clipboard out", {json}, run_session_copy},
    };
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
                 "          --changes: a rule about changing marked files, without host and port\n"
                 "\n"
                 "Exit status: 0 done; 1 failure; 2 wrong usage; 3 tacetd is not running; 4 denied; 5 not found;\n"
                 "             6 some files failed; 7 (status, doctor) something is not enforced; run: the program's own, 125 "
                 "when it was not\n"
                 "             started, 128 and the signal's number when it was killed\n";
}

int exit_code_of(const sdbus::Error& error)
{
    const std::string& name = error.getName();
    if (means_absent(error))
        return exit_daemon_absent;
    if (name == "org.freedesktop.DBus.Error.AccessDenied" || name == "org.tacet.Error.NotOwner"
        || name == "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired")
        return exit_denied;
    if (name == "org.tacet.Error.NotFound" || name == "org.tacet.Error.NoSuchRule" || name == "org.tacet.Error.NoSuchQuestion"
        || name == "org.tacet.Error.NotLabelled" || name == "org.tacet.Error.NoSuchSession")
        return exit_not_found;
    return name.starts_with("org.tacet.Error.Invalid") ? exit_usage : exit_failure;
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

const Command* find_command(const std::vector<std::string>& words, std::size_t& ret_used)
{
    for (const Command& command : commands()) {
        const std::string name = command.name;
        const bool two = name.find(' ') != std::string::npos;
        ret_used = two ? 2 : 1;
        if (words.size() >= ret_used && name == (two ? words[0] + " " + words[1] : words[0]))
            return &command;
    }
    return nullptr;
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
    const Command* command = find_command(words, used);
    if (command == nullptr) {
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
