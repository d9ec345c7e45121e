// SPDX-License-Identifier: GPL-3.0-or-later
// The machine's swap areas, read off /proc/swaps.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tacet {

enum class SwapState {
    None,      // the machine does not swap
    Encrypted, // only to the module's own device-mapper target
    Plain,     // also, or only, to something else: a partition, a file, compressed memory
};

// The UUID that the set-up script (packaging/tacet-swap) gives to its devices begins so.
inline constexpr std::string_view swap_uuid = "TACET-SWAP-";

// swaps: /proc/swaps's text; is_encrypted tells by an area's name, as it stands there, whether it is ours.
SwapState judge_swap(std::string_view swaps, const std::function<bool(const std::string& area)>& is_encrypted);

// The machine's, now. Plain when that cannot be read.
SwapState swap_state();

} // namespace tacet
