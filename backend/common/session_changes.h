// SPDX-License-Identifier: GPL-3.0-or-later
// The changes of a session to its files, as text from the session to tacetd, which trusts none of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.h"
#include "common/result.h"
#include "contract/codes.h"

namespace tacet {

using contract::ChangeType;
using contract::FileKind;

// The change of one name.
struct SessionChange {
    // The kind of the file as it is now; for a deleted one, as it was.
    std::string path;
    ChangeType change = ChangeType::Created;
    FileKind kind = FileKind::File;
    std::uint64_t size = 0; // bytes
    std::uint32_t mode = 0; // permission bits
    UnixTime modified = 0;

    bool operator==(const SessionChange&) const = default;
};

// Each costs tacetd some kilobytes while it answers, and it must not run out of its memory.
inline constexpr std::size_t changes_max = 20'000;
// The limit for all paths together: the reply on the bus must fit its 32 MiB.
inline constexpr std::size_t change_paths_max = 8U << 20;
inline constexpr std::size_t change_text_max = change_paths_max + changes_max * 64;

std::string to_text(const std::vector<SessionChange>& changes);
Result<std::vector<SessionChange>> parse_changes(std::string_view text);

} // namespace tacet
