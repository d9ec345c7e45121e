// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tacet {

// Returns a number from the kernel's generator.
std::uint64_t random_number();

} // namespace tacet
