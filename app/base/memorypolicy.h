// SPDX-License-Identifier: GPL-3.0-or-later
// Whose memory is wiped when it is given back, as the daemon tells it.
#pragma once

#include "codes.h"

#include <QStringList>

namespace Tacet {

struct MemoryPolicy
{
    MemoryScope scope = MemoryScope::Off;
    QList<MemoryLayer> layers; // that are wiped
    QStringList programs;      // the person's own, absolute paths

    bool operator==(const MemoryPolicy &) const = default;
};

} // namespace Tacet
