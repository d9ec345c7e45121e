// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/suggestions.h"

#include <algorithm>

namespace tacet::cli {
namespace {

// More is another word, not a slip.
std::size_t slips_max(std::string_view word)
{
    return word.size() < 4 ? 1 : 2;
}

} // namespace

std::size_t distance(std::string_view left, std::string_view right)
{
    // Row i of the table: the distances of left's first i letters from each beginning of right.
    std::vector<std::size_t> before_last;
    std::vector<std::size_t> last(right.size() + 1);
    for (std::size_t j = 0; j <= right.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= left.size(); ++i) {
        std::vector<std::size_t> row(right.size() + 1, i);
        for (std::size_t j = 1; j <= right.size(); ++j) {
            const std::size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        before_last = std::exchange(last, std::move(row));
    }
    return last.back();
}

std::string suggest(std::string_view word, const std::vector<std::pair<std::string, std::string>>& known)
{
    std::size_t nearest = slips_max(word);
    std::vector<std::string> meant;
    for (const auto& [name, suggestion] : known) {
        const std::size_t slips = distance(word, name);
        if (slips > nearest)
            continue;
        if (slips < nearest)
            meant.clear();
        nearest = slips;
        meant.push_back(suggestion);
    }
    std::string text;
    for (const std::string& suggestion : meant)
        text += (text.empty() ? "; did you mean \"" : " or \"") + suggestion + "\"";
    return text.empty() ? text : text + "?";
}

} // namespace tacet::cli
