// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/box.h"

namespace tacet {

bool is_box_name(std::string_view name)
{
    constexpr std::size_t size_max = 64;
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    return !name.empty() && name.size() <= size_max && name.front() != '.' && name.front() != '-'
           && name.find_first_not_of(allowed) == std::string_view::npos;
}

std::string boxes_of(const std::string& folder, uid_t owner)
{
    return folder + "/" + std::to_string(owner);
}

} // namespace tacet
