// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

constexpr int frame_size = 400;
constexpr unsigned char frame_mark = 0xA7;
constexpr int frame_word = 0x5A5A5A;

// Both tell where the marks were. The second is wiped in any case.
namespace plain {
void leave_marks(std::uintptr_t& ret_place);
void leave_none(std::uintptr_t& ret_place);
} // namespace plain
namespace wiped {
void leave_marks(std::uintptr_t& ret_place);
void leave_none(std::uintptr_t& ret_place);
} // namespace wiped
