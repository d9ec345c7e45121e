// SPDX-License-Identifier: GPL-3.0-or-later
// What the words of the command line stand for: the help names them, and shells complete them. The daemon checks them.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "contract/codes.h"

namespace tacet::cli {

enum class Offer { Words, Files, Folders, Programs };

struct Value {
    const char* name = "";                   // as the help writes it: "PATH"
    std::span<const std::string_view> words; // all that it may be; empty: not known here
    Offer offer = Offer::Words;              // what a shell completes it to

    // Names of files may have any bytes; everything else is text.
    bool is_path() const { return offer != Offer::Words; }
};

namespace values {

inline constexpr std::array<std::string_view, 6> categories{"mail", "finance", "keys", "photos", "health", "custom"};
inline constexpr std::array<std::string_view, 2> switch_words{"on", "off"};
inline constexpr std::array<std::string_view, 2> displays{"nested", "none"};

inline constexpr Value path{"PATH", {}, Offer::Files};
inline constexpr Value folder{"PATH", {}, Offer::Folders};
inline constexpr Value program{"PROGRAM", {}, Offer::Programs};
inline constexpr Value kind{"KIND", categories};
inline constexpr Value verdict{"VERDICT", contract::verdict_words};
inline constexpr Value duration{"DURATION", contract::duration_words};
// A rule outlasts the question and its process.
inline constexpr Value rule_duration{"DURATION", std::span(contract::duration_words).subspan(2)};
inline constexpr Value store{"STORE", contract::store_choice_words};
inline constexpr Value memory_scope{"SCOPE", contract::memory_scope_words};
inline constexpr Value memory_layer{"LAYER", contract::memory_layer_words};
inline constexpr Value on_off{"on|off", switch_words};
inline constexpr Value display{"nested|none", displays};
inline constexpr Value host{"HOST", {}};
inline constexpr Value id{"ID", {}};
inline constexpr Value number{"N", {}};
inline constexpr Value seconds{"SECONDS", {}};
inline constexpr Value minutes{"MINUTES", {}};
inline constexpr Value size{"BYTES", {}};
inline constexpr Value name{"NAME", {}};

} // namespace values
} // namespace tacet::cli
