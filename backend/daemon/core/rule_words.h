// SPDX-License-Identifier: GPL-3.0-or-later
// Tells a rule as a sentence, for the dialog that asks for a password.
#pragma once

#include <string>

#include "daemon/core/ports.h"
#include "daemon/core/rule.h"

namespace tacet {

// An example is "/usr/bin/curl may send /home/anna/salaries.csv to 192.0.2.7, always".
std::string describe(Verdict verdict, const RuleScope& scope, Duration duration);

// task is "make" or "remove".
Details rule_details(std::string_view task, const Rule& rule);

} // namespace tacet
