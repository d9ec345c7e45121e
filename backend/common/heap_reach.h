// SPDX-License-Identifier: GPL-3.0-or-later
// Whether libtacet-heap.so clears what a chosen program frees for itself. Otherwise its pages and stacks are cleared only.
#pragma once

#include <string>

namespace tacet {

enum class HeapReach {
    Cleared,
    OwnAllocator, // most of its data lies in memory that it manages itself
    NotLoaded,    // it raises privileges, is static, is not of 64 bits, or cannot be read
};

// program: an absolute path.
HeapReach heap_reach(const std::string& program);

} // namespace tacet
