// SPDX-License-Identifier: GPL-3.0-or-later
// The two clocks of the contract: Unix seconds for people, boot time in microseconds for deadlines.
#pragma once

#include <QDateTime>

namespace Tacet {

// Null for 0 and for times that no calendar has.
QDateTime fromUnixTime(quint64 seconds);

// CLOCK_BOOTTIME, which also runs while the machine sleeps; what the daemon's deadlines are given in.
quint64 boottimeMicroseconds();

} // namespace Tacet
