// SPDX-License-Identifier: GPL-3.0-or-later
// The state of an app that is connected to a daemon whose module is active.
#pragma once

#include "base/daemonstate.h"

namespace Tacet {

inline DaemonState ready()
{
    DaemonState state;
    state.connection = Connection::Ready;
    state.module = ModuleState::Active;
    state.agentRegistered = true;
    return state;
}

} // namespace Tacet
