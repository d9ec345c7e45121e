// SPDX-License-Identifier: GPL-3.0-or-later
// tacet: the command line of tacetd.
#include <algorithm>
#include <clocale>
#include <cstring>

#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/failures.h"
#include "cli/output.h"
#include "contract/codes.h"

namespace {

using namespace tacet::cli;
using tacet::contract::ErrorCode;
using Words = std::vector<std::string>;

// Before anything is parsed, as the words may be wrong. Those of `tacet run` may belong to its program.
bool wants_json(const Words& words)
{
    const auto end = std::ranges::find(words, "--");
    return !words.empty() && words.front() != "run" && std::find(words.begin(), end, "--json") != end;
}

std::string_view name_of(ErrorCode code)
{
    return tacet::contract::error_name(code);
}

int run_command(CommandLine& line, const Words& words)
{
    try {
        const auto [command, arguments] = line.parse(words);
        return command->run(arguments);
    } catch (const UsageError& error) {
        print_failure(wants_json(words), name_of(ErrorCode::InvalidArgument), error.what());
        print_error(line.usage());
        return exit_usage;
    } catch (const sdbus::Error& error) {
        print_failure(wants_json(words), error.getName(), message_of(error));
        return exit_code_of(error);
    }
}

int run(Words words)
{
    if (!words.empty() && words.front() == "__complete") {
        for (const std::string& line : complete(all_commands(), {words.begin() + 1, words.end()}))
            print_text(line + "\n");
        return exit_ok;
    }
    if (!words.empty() && words.front() == "help") {
        words.erase(words.begin());
        words.emplace_back("--help");
    }
    try {
        CommandLine line(all_commands(), "tacet " TACET_VERSION);
        if (!words.empty())
            return run_command(line, words);
        print_text(line.help());
        return exit_usage;
    } catch (const TextAsked& text) {
        print_text(text.what());
        return exit_ok;
    } catch (const std::exception& error) {
        print_failure(wants_json(words), name_of(ErrorCode::Failed), error.what());
        return exit_failure;
    }
}

// Everybody on the machine sees the arguments of a process, and these tell what is done privately.
void hide_private_words(const Words& words, char** argv)
{
    for (std::size_t i = 1; i < words.size() && words.front() == "run"; ++i)
        std::memset(argv[i + 1], 0, words[i].size());
}

} // namespace

int main(int argc, char** argv)
{
    std::setlocale(LC_CTYPE, ""); // how wide letters are
    const Words words(argv + 1, argv + argc);
    hide_private_words(words, argv);
    const int code = run(words);
    return finish_output() || code != exit_ok ? code : exit_failure;
}
