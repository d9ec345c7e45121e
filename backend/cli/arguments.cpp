// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arguments.h"

#include "common/text.h"

namespace tacet::cli {

std::optional<std::string> Arguments::value(const std::string& option) const
{
    const auto found = options_.find(option);
    return found == options_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> Arguments::number(const std::string& option, std::uint64_t limit) const
{
    const auto text = value(option);
    return text ? std::optional(to_number(*text, limit)) : std::nullopt;
}

std::uint64_t to_number(const std::string& word, std::uint64_t limit)
{
    unsigned long long number = 0;
    if (!parse_number(word, limit, number))
        throw UsageError("not a number up to " + std::to_string(limit) + ": " + word);
    return number;
}

} // namespace tacet::cli
