// SPDX-License-Identifier: GPL-3.0-or-later
#include "timestamps.h"

#include <ctime>

namespace Tacet {

QDateTime fromUnixTime(quint64 seconds)
{
    constexpr quint64 year10000 = 253402300800;
    if (seconds == 0 || seconds >= year10000)
        return {};
    return QDateTime::fromSecsSinceEpoch(qint64(seconds));
}

quint64 boottimeMicroseconds()
{
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return quint64(now.tv_sec) * 1'000'000 + quint64(now.tv_nsec) / 1000;
}

} // namespace Tacet
