// SPDX-License-Identifier: GPL-3.0-or-later
// Whether libtacet-heap.so clears what a chosen program frees for itself. Otherwise its pages and stacks are cleared only.
#pragma once

#include <string>

namespace tacet {

// program: an absolute path. False when most of its data lies in memory that it manages itself, and when it cannot load the
// library: it raises privileges, is static, has another linker, is not of 64 bits, or cannot be read.
bool is_heap_reached(const std::string& program);

} // namespace tacet
