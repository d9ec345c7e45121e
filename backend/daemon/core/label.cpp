// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/core/label.h"

#include <openssl/sha.h>

#include <algorithm>
#include <iterator>

namespace tacet {

bool is_category_kind(std::string_view kind)
{
    return std::ranges::find(category_kinds, kind) != category_kinds.end();
}

CategoryId category_id(std::string_view kind, uid_t owner)
{
    const std::string name = "tacet:" + std::string(kind) + ":" + std::to_string(owner);
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<const unsigned char*>(name.data()), name.size(), digest.data());
    CategoryId id = 0;
    for (std::size_t index = 0; index < sizeof(id); ++index)
        id = (id << 8) | digest[index];
    return id;
}

Label make_label(std::vector<CategoryId> categories)
{
    std::ranges::sort(categories);
    const auto doubles = std::ranges::unique(categories);
    categories.erase(doubles.begin(), doubles.end());
    return Label{std::move(categories)};
}

std::optional<Label> unite(const Label& left, const Label& right)
{
    Label both;
    std::ranges::set_union(left.categories, right.categories, std::back_inserter(both.categories));
    if (both.categories.size() > label_max)
        return std::nullopt;
    return both;
}

bool is_subset(const Label& part, const Label& whole)
{
    return std::ranges::includes(whole.categories, part.categories);
}

} // namespace tacet
