// SPDX-License-Identifier: GPL-3.0-or-later
// Timers, for code that waits. Tests put a hand-driven scheduler in its place.
#pragma once

#include <functional>
#include <memory>

#include "common/clock.h"

namespace tacet {

// Destroying a Pending cancels it, also from inside its own callback.
class Pending {
public:
    virtual ~Pending() = default;
};

class Scheduler {
public:
    virtual ~Scheduler() = default;
    [[nodiscard]] virtual std::unique_ptr<Pending> at(BootTime when, std::function<void()> callback) = 0;
    // Calls step once a turn, as often as other events have theirs, until it returns false.
    [[nodiscard]] virtual std::unique_ptr<Pending> soon(std::function<bool()> step) = 0;
    // Calls step once a turn, after everything that is more urgent, until it returns false.
    [[nodiscard]] virtual std::unique_ptr<Pending> idle(std::function<bool()> step) = 0;
};

} // namespace tacet
