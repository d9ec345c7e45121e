// SPDX-License-Identifier: GPL-3.0-or-later
// The one place that maps Error to D-Bus errors.
#pragma once

#include <sdbus-c++/sdbus-c++.h>

#include "common/result.h"

namespace tacet {

sdbus::Error to_bus(const Error& error);

} // namespace tacet
