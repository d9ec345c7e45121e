// SPDX-License-Identifier: GPL-3.0-or-later
// The sockets of outside that a session reaches: the one of its own display, those for sound and for the SSH agent if the
// person wants it, and the system bus, behind a filter.
#pragma once

#include "common/session_request.h"

namespace tacet {

// root: the place where the session's file tree is made, with its /tmp and runtime directory. kernel_session: as in
// allow_socket().
Result<void> bring_display_in(const SessionRequest& request, const std::string& root, int kernel_session);
// Brings in the sockets of PipeWire and PulseAudio that exist, if any.
Result<void> bring_audio_in(const SessionRequest& request, const std::string& root, int kernel_session);
// Brings in the socket that leads to the person's SSH agent, at ssh_agent_socket().
Result<void> bring_ssh_agent_in(const SessionRequest& request, const std::string& root, int kernel_session);
// Lets the filter of the session's system bus reach the bus, if there is one.
Result<void> allow_system_bus(int kernel_session);

} // namespace tacet
