// SPDX-License-Identifier: GPL-3.0-or-later
// What a person may have meant by a word that is not known.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tacet::cli {

// How many letters must be changed, added, left out or swapped to make the one word the other.
std::size_t distance(std::string_view left, std::string_view right);
// known: words, each with what to suggest for it. Returns ‘; did you mean "a" or "b"?’ with the nearest, or nothing.
std::string suggest(std::string_view word, const std::vector<std::pair<std::string, std::string>>& known);

} // namespace tacet::cli
