// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "daemon/core/label.h"

namespace tacet {
namespace {

using testing::ElementsAre;

TEST(Label, CategoryIdIsTheStartOfTheHash)
{
    // printf tacet:finance:1000 | sha256sum
    EXPECT_EQ(category_id("finance", 1000), 0xd6cccb1ce27e9bb2ULL);
    EXPECT_NE(category_id("finance", 1000), category_id("finance", 1001));
    EXPECT_NE(category_id("finance", 1000), category_id("health", 1000));
}

TEST(Label, IsAscendingAndWithoutDoubles)
{
    EXPECT_THAT(make_label({3, 1, 3, 2}).categories, ElementsAre(1, 2, 3));
}

TEST(Label, UnionHasALimit)
{
    std::vector<CategoryId> many;
    for (CategoryId id = 1; id <= label_max; ++id)
        many.push_back(id);
    const Label full = make_label(many);
    EXPECT_EQ(unite(full, make_label({1})), full);
    EXPECT_EQ(unite(full, make_label({99})), std::nullopt);
}

TEST(Label, Subset)
{
    EXPECT_TRUE(is_subset(make_label({1}), make_label({1, 2})));
    EXPECT_FALSE(is_subset(make_label({1, 3}), make_label({1, 2})));
    EXPECT_TRUE(is_subset({}, {}));
}

TEST(Label, Kinds)
{
    EXPECT_TRUE(is_category_kind("mail"));
    EXPECT_FALSE(is_category_kind("Mail"));
    EXPECT_FALSE(is_category_kind(""));
}

} // namespace
} // namespace tacet
