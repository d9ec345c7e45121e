// SPDX-License-Identifier: GPL-3.0-or-later
// What a session did to its files, as text: how it goes from the session to tacetd, which believes none of it.
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

// What a session did to one name.
struct SessionChange {
    // Of what there is now; of what there was, when it is deleted.
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
// Of all paths together: the reply on the bus must fit its 32 MiB.
inline constexpr std::size_t change_paths_max = 8U << 20;
inline constexpr std::size_t change_text_max = change_paths_max + changes_max * 64;

std::string to_text(const std::vector<SessionChange>& changes);
Result<std::vector<SessionChange>> parse_changes(std::string_view text);

} // namespace tacet
