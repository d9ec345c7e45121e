// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tacet::cli {

std::vector<Command> all_commands()
{
    std::vector<Command> all;
    for (const auto& some :
         {protection_commands(), label_commands(), question_commands(), rule_commands(), log_commands(), session_commands(),
          file_commands(), clipboard_commands(), always_commands(), box_commands(), memory_commands()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

const char* help_of_noun(std::string_view noun)
{
    static constexpr std::array<std::pair<std::string_view, const char*>, 7> nouns{{
        {"label", "sensitive files"},
        {"breach", "questions that programs wait for"},
        {"rule", "answers to later questions"},
        {"session", "private sessions"},
        {"always", "programs that start privately"},
        {"box", "changes of private sessions that stay"},
        {"memory", "what happens to memory that programs no longer need"},
    }};
    const auto found = std::ranges::find(nouns, noun, &std::pair<std::string_view, const char*>::first);
    return found == nouns.end() ? "" : found->second;
}

} // namespace tacet::cli
