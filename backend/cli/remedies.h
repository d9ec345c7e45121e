// SPDX-License-Identifier: GPL-3.0-or-later
// What a person can do about a code of `tacet doctor`.
#pragma once

#include <string_view>

namespace tacet::cli {

// Codes of tacet doctor's own, when it cannot ask the daemon.
inline constexpr std::string_view daemon_absent = "daemon-absent";
inline constexpr std::string_view daemon_silent = "daemon-silent";

// detail: as in Protection.List, or one of the above. Empty for a code that is not known.
std::string_view remedy_of(std::string_view detail);

} // namespace tacet::cli
