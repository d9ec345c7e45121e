// SPDX-License-Identifier: GPL-3.0-or-later
// A rule as a sentence, in the words of the app (app/base/rulewords.cpp).
#pragma once

#include <string>

#include "cli/client.h"

namespace tacet::cli {

// rule: as in the contract, or a request for one; what is missing means any.
std::string rule_sentence(const Json& rule);
bool is_about_change(const Json& rule);
// False: it holds for any program, any data and any destination of its kind.
bool has_condition(const Json& rule);

} // namespace tacet::cli
