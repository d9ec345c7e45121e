// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's a{sv}. dbus/*.xml tells the meaning of each key.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sdbus-c++/sdbus-c++.h>

#include "common/result.h"

namespace tacet {

using Dictionary = std::map<std::string, sdbus::Variant>;

// Makes text UTF-8 if it is not, as the bus refuses anything else.
sdbus::Variant variant(std::string_view text);
sdbus::Variant variant(const std::vector<std::string>& texts);

// Each feature has an overload of to_bus for its own types.
template <typename T>
std::vector<Dictionary> to_bus(const std::vector<T>& items)
{
    std::vector<Dictionary> dictionaries;
    dictionaries.reserve(items.size());
    for (const T& item : items)
        dictionaries.push_back(to_bus(item));
    return dictionaries;
}

// Moves the value of a key out of the dictionary, if there is one. A wrong type is InvalidScope.
template <typename T>
Result<void> take(Dictionary& dictionary, const char* key, std::optional<T>& ret_value)
{
    const auto found = dictionary.find(key);
    if (found == dictionary.end())
        return {};
    if (!found->second.containsValueOfType<T>())
        return Error{ErrorCode::InvalidScope, std::string(key) + " has the wrong type"};
    ret_value = found->second.get<T>();
    dictionary.erase(found);
    return {};
}

// Refuses unknown keys with InvalidScope, as a scope that was half understood would be another rule.
Result<void> refuse_rest(const Dictionary& dictionary);

} // namespace tacet
