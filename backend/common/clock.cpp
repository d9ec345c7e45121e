// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/clock.h"

#include <fstream>

#include <ctime>

namespace tacet {

SystemClock::SystemClock()
{
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot_id_;
}

BootTime SystemClock::boottime() const
{
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

UnixTime SystemClock::realtime() const
{
    return static_cast<UnixTime>(std::time(nullptr));
}

} // namespace tacet
