// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/session_changes.h"

#include <charconv>
#include <climits>

namespace tacet {
namespace {

constexpr std::string_view change_letters = "+~-";
constexpr std::string_view kind_letters = "fdlo";

const Error malformed{ErrorCode::Failed, "malformed list of a session's files"};

template <typename Enum>
bool take_letter(std::string_view& line, std::string_view letters, Enum& ret_value)
{
    const std::size_t place = line.empty() ? std::string_view::npos : letters.find(line.front());
    if (place == std::string_view::npos)
        return false;
    ret_value = static_cast<Enum>(place);
    line.remove_prefix(1);
    return true;
}

template <typename T>
bool take_number(std::string_view& line, T& ret_number)
{
    const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), ret_number);
    if (failure != std::errc() || end == line.data() + line.size() || *end != ' ')
        return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
    return true;
}

// "+f 12 420 1700000000 /home/anna/new"
bool parse_change(std::string_view line, SessionChange& ret_change)
{
    if (!take_letter(line, change_letters, ret_change.change) || !take_letter(line, kind_letters, ret_change.kind)
        || !line.starts_with(' '))
        return false;
    line.remove_prefix(1);
    if (!take_number(line, ret_change.size) || !take_number(line, ret_change.mode) || !take_number(line, ret_change.modified)
        || !line.starts_with('/') || line.size() >= PATH_MAX)
        return false;
    ret_change.path = line;
    return true;
}

} // namespace

std::string to_text(const std::vector<SessionChange>& changes)
{
    std::string text;
    for (const SessionChange& change : changes) {
        text.push_back(change_letters[static_cast<std::size_t>(change.change)]);
        text.push_back(kind_letters[static_cast<std::size_t>(change.kind)]);
        for (const std::uint64_t number : {change.size, std::uint64_t{change.mode}, change.modified})
            text.append(" ").append(std::to_string(number));
        text.append(" ").append(change.path).push_back('\0');
    }
    return text;
}

Result<std::vector<SessionChange>> parse_changes(std::string_view text)
{
    std::vector<SessionChange> changes;
    while (!text.empty()) {
        const std::size_t end = text.find('\0');
        SessionChange change;
        if (end == std::string_view::npos || changes.size() == changes_max || !parse_change(text.substr(0, end), change))
            return malformed;
        changes.push_back(std::move(change));
        text.remove_prefix(end + 1);
    }
    return changes;
}

} // namespace tacet
