// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace tacet::cli {

// Bytes of UTF-8 text that cross the border of a private session at a time.
inline constexpr std::size_t clipboard_max = 1U << 20;

} // namespace tacet::cli
