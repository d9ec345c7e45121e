// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the line of /proc that tells whether a process is still the one that was meant. Reading it never waits.
#pragma once

#include <sys/types.h>

#include <string>

#include "common/clock.h"

namespace tacet {

struct ProcessStat {
    pid_t parent = 0;
    BootTime start{-1}; // is cut to ticks, and negative if there is no such process
};

ProcessStat read_stat(pid_t pid);
// The kernel's time is exact, and the time in /proc is cut to ticks.
bool is_same_start(BootTime exact, BootTime cut);

// Returns at most 16 KiB of a file below /proc.
std::string read_process_file(pid_t pid, const char* name);

} // namespace tacet
