// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that leave marks on the stack and in a register. This file is compiled twice: by itself, and with the options that
// wipe them (docs/user/memory.md).
#include <array>
#include <cstdint>

#include "common/secret.h"
#include "frame.h"

namespace FRAME_NAMESPACE {

namespace {

[[gnu::always_inline]] inline void use_marks(std::uintptr_t& ret_place)
{
    std::array<volatile unsigned char, frame_size> marks;
    for (auto& byte : marks)
        byte = frame_mark;
    ret_place = reinterpret_cast<std::uintptr_t>(marks.data());
    asm volatile("mov %0, %%r10" : : "i"(frame_word) : "r10");
}

} // namespace

[[gnu::noinline]] void leave_marks(std::uintptr_t& ret_place)
{
    use_marks(ret_place);
}

TACET_WIPES_FRAME [[gnu::noinline]] void leave_none(std::uintptr_t& ret_place)
{
    use_marks(ret_place);
}

} // namespace FRAME_NAMESPACE
