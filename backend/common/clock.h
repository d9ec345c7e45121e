// SPDX-License-Identifier: GPL-3.0-or-later
// The three clocks that the daemon knows: boottime for every deadline, real time for people, the boot's id.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tacet {

using BootTime = std::chrono::nanoseconds; // CLOCK_BOOTTIME
using UnixTime = std::uint64_t;            // seconds

class Clock {
public:
    virtual ~Clock() = default;
    virtual BootTime boottime() const = 0;
    virtual UnixTime realtime() const = 0;
    virtual const std::string& boot_id() const = 0;
};

class SystemClock final : public Clock {
public:
    SystemClock();
    BootTime boottime() const override;
    UnixTime realtime() const override;
    const std::string& boot_id() const override { return boot_id_; }

private:
    std::string boot_id_;
};

} // namespace tacet
