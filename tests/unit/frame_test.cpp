// SPDX-License-Identifier: GPL-3.0-or-later
// What functions leave on the stack and in registers: without wiping, with Tacet's own word for it, and with the compiler's
// options.
#include <gtest/gtest.h>

#include "frame.h"

namespace {

struct Left {
    int marks;
    long word; // in a register
};

template <typename Function>
Left call(Function function)
{
    std::uintptr_t place = 0;
    Left left{};
    function(place);
    asm volatile("mov %%r10, %0" : "=r"(left.word));
    for (int i = 0; i < frame_size; ++i)
        left.marks += reinterpret_cast<volatile unsigned char*>(place)[i] == frame_mark;
    return left;
}

TEST(Frame, StaysWithoutWiping)
{
    const Left left = call(plain::leave_marks);
    EXPECT_EQ(left.marks, frame_size);
    EXPECT_EQ(left.word, frame_word);
}

TEST(Frame, IsWipedOfAFunctionThatHoldsASecret)
{
    const Left left = call(plain::leave_none);
    EXPECT_EQ(left.marks, 0);
    EXPECT_NE(left.word, frame_word);
}

TEST(Frame, IsWipedByTheCompilersOptions)
{
    for (const auto function : {wiped::leave_marks, wiped::leave_none}) {
        const Left left = call(function);
        EXPECT_EQ(left.marks, 0);
        EXPECT_NE(left.word, frame_word);
    }
}

} // namespace
