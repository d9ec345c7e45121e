// SPDX-License-Identifier: GPL-3.0-or-later
// The icon of each condition: told apart by shape and colour.
#pragma once

#include "base/statuswords.h"

#include <QIcon>

namespace Tacet {

QString statusIconName(Condition condition);
// From the icon theme, else the one in the program: also right before installation and in bare icon themes.
QIcon statusIcon(Condition condition);
QIcon appIcon();

} // namespace Tacet
