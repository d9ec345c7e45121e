// SPDX-License-Identifier: GPL-3.0-or-later
// What the contract says of private sessions, as dictionaries.
#pragma once

#include "daemon/bus/dictionary.h"

namespace tacet {

Dictionary to_bus(const PrivateSession& session);
Dictionary to_bus(const SessionChange& change);

} // namespace tacet
