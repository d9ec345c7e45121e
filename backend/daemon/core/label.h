// SPDX-License-Identifier: GPL-3.0-or-later
// Categories and labels. A label is a set of categories, and a category is a kind of data of one person.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tacet {

using CategoryId = std::uint64_t;

inline constexpr std::array<std::string_view, 6> category_kinds{"mail", "finance", "keys", "photos", "health", "custom"};
inline constexpr std::size_t label_max = 16;

struct Category {
    CategoryId id = 0;
    std::string kind;
    uid_t owner = 0;
};

// The categories are ascending and without doubles, as the kernel wants them.
struct Label {
    std::vector<CategoryId> categories;

    bool empty() const { return categories.empty(); }
    bool operator==(const Label&) const = default;
};

bool is_category_kind(std::string_view kind);
// Returns the first 8 bytes, big endian, of SHA-256("tacet:" kind ":" owner). They are the same on every machine and after any
// reinstallation.
CategoryId category_id(std::string_view kind, uid_t owner);
Label make_label(std::vector<CategoryId> categories);
// Returns nothing when the union would have more than label_max categories.
std::optional<Label> unite(const Label& left, const Label& right);
bool is_subset(const Label& part, const Label& whole);

} // namespace tacet
