// SPDX-License-Identifier: GPL-3.0-or-later
// Work that gives back much memory, to tell what clearing it costs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tacet {

// kind: heap, pages, processes, pipe or files. Returns the microseconds of processor time that it took, children included;
// nothing for an unknown kind, and after an error of the system.
std::optional<std::uint64_t> do_work(std::string_view kind);

} // namespace tacet
