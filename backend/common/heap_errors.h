// SPDX-License-Identifier: GPL-3.0-or-later
// What libtacet-heap.so has counted in programs that run: uses of memory that they had freed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tacet {

struct ProcessErrors {
    pid_t process;
    std::uint64_t writes; // blocks in which it wrote after it had freed them
    std::uint64_t frees;  // blocks that it freed once more
};

// The counts of one process. Empty if it has no such library, has ended, or is not the caller's to look at.
std::optional<ProcessErrors> heap_errors_of(pid_t process);

// Those processes of a program that have such errors. program: an absolute path.
std::vector<ProcessErrors> heap_errors_of(const std::string& program);

} // namespace tacet
