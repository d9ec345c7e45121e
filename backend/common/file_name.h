// SPDX-License-Identifier: GPL-3.0-or-later
// Checks paths that somebody else names.
#pragma once

#include <string_view>

namespace tacet {

// Tells whether the path is absolute and each of its parts is a name. Two different plain paths never mean the same file, as long
// as no link is on the way.
bool is_plain_path(std::string_view path);
// Tells whether the path, or a folder above it, is that folder.
bool lies_in(std::string_view path, std::string_view folder);
// Tells whether the path is plain and not below /proc, where a name depends on who says it.
bool is_file_name(std::string_view path);

} // namespace tacet
