// SPDX-License-Identifier: GPL-3.0-or-later
// Where libtacet-heap.so counts a program's errors. Others find it in the program's memory by the words at its beginning.
#pragma once

#include <array>
#include <cstdint>

namespace tacet {

struct HeapErrors {
    std::array<char, 16> words;
    std::uint64_t writes; // blocks in which the program wrote after it had freed them
    std::uint64_t frees;  // blocks that it freed once more
};

constexpr std::array<char, 16> heap_errors_words{'t', 'a', 'c', 'e', 't', ' ', 'h', 'e', 'a', 'p', ' ', 'e', 'r', 'r', 'o', 'r'};

} // namespace tacet
