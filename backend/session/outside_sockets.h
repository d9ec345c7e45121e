// SPDX-License-Identifier: GPL-3.0-or-later
// The person's sockets that a session gets: the one of its own display, and those for sound if the person wants it.
#pragma once

#include "common/session_request.h"

namespace tacet {

// root: the place where the session's file tree is made, with its /tmp and runtime directory.
Result<void> bring_display_in(const SessionRequest& request, const std::string& root);
// Brings in the sockets of PipeWire and PulseAudio that exist, if any.
Result<void> bring_audio_in(const SessionRequest& request, const std::string& root);

} // namespace tacet
