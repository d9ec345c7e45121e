// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's a{sv}: what each key means is written in dbus/*.xml.
#pragma once

#include <map>
#include <string>

#include <sdbus-c++/sdbus-c++.h>

#include "daemon/bus/handlers.h"

namespace tacet {

using Dictionary = std::map<std::string, sdbus::Variant>;

Dictionary to_bus(const LabelledFile& file);
Dictionary to_bus(const Question& question);
Dictionary to_bus(const ListedRule& rule);
Dictionary to_bus(const LogEntry& entry);
Dictionary to_bus(const Protection& protection);

template <typename T>
std::vector<Dictionary> to_bus(const std::vector<T>& items)
{
    std::vector<Dictionary> dictionaries;
    dictionaries.reserve(items.size());
    for (const T& item : items)
        dictionaries.push_back(to_bus(item));
    return dictionaries;
}

// Unknown keys and wrong types are InvalidScope: a scope that was half understood would be another rule.
Result<ScopeRequest> scope_from_bus(const Dictionary& dictionary);
Result<RuleRequest> rule_from_bus(const Dictionary& dictionary);
// Without its files. Unknown options are InvalidArgument.
Result<SessionStart> session_from_bus(const std::vector<std::vector<std::uint8_t>>& command,
                                      const std::vector<std::vector<std::uint8_t>>& environment,
                                      const std::vector<std::uint8_t>& directory, const Dictionary& options);
Result<Verdict> verdict_from_bus(const std::string& text);
Result<Duration> duration_from_bus(const std::string& text);

} // namespace tacet
