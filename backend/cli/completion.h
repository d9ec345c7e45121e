// SPDX-License-Identifier: GPL-3.0-or-later
// What a shell offers for the next word. The scripts in completions/ ask for it as `tacet __complete WORD...`.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"

namespace tacet::cli {

// words: what follows "tacet", as far as the cursor; the last one is being typed. Returns lines: a word, a tab and what it means;
// or ":files", ":folders", ":programs", which the shell completes itself.
std::vector<std::string> complete(const std::vector<Command>& commands, std::vector<std::string> words);

} // namespace tacet::cli
