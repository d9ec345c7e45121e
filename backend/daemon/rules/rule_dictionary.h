// SPDX-License-Identifier: GPL-3.0-or-later
// Rules and their scopes in the form of the contract.
#pragma once

#include "daemon/bus/dictionary.h"
#include "daemon/rules/rule_request.h"

namespace tacet {

Dictionary to_bus(const ListedRule& rule);

// Unknown keys and wrong types are InvalidScope, as a scope that was half understood would be another rule.
Result<ScopeRequest> scope_from_bus(const Dictionary& dictionary);
Result<RuleRequest> rule_from_bus(const Dictionary& dictionary);
Result<Verdict> verdict_from_bus(const std::string& text);
Result<Duration> duration_from_bus(const std::string& text);

} // namespace tacet
