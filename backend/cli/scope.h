// SPDX-License-Identifier: GPL-3.0-or-later
// Which questions an answer or a rule is for, as the options say.
#pragma once

#include <vector>

#include "cli/client.h"
#include "cli/commands.h"

namespace tacet::cli {

// In an answer, what is not given is taken from the question; --file, --folder and --label with an empty value take its own.
std::vector<Option> answer_options();
// In a rule it means any.
std::vector<Option> rule_options();

// As in the contract; what is not given is left out. Throws UsageError.
Dictionary scope_of(const Arguments& arguments);

} // namespace tacet::cli
