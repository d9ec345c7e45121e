// SPDX-License-Identifier: GPL-3.0-or-later
// What a session did to its files, as text: how it goes from the session to tacetd, which believes none of it.
#pragma once

#include <string_view>
#include <vector>

#include "core/private_session.h"
#include "util/result.h"

namespace tacet {

// Each costs tacetd some kilobytes while it answers, and it must not run out of its memory.
inline constexpr std::size_t changes_max = 20'000;
// Of all paths together: the reply on the bus must fit its 32 MiB.
inline constexpr std::size_t change_paths_max = 8U << 20;
inline constexpr std::size_t change_text_max = change_paths_max + changes_max * 64;

std::string to_text(const std::vector<SessionChange>& changes);
Result<std::vector<SessionChange>> parse_changes(std::string_view text);

} // namespace tacet
