// SPDX-License-Identifier: GPL-3.0-or-later
// The person's sockets that a session gets: its own display's, and those for sound when the person wants it.
#pragma once

#include "common/session_request.h"

namespace tacet {

// root: where the session's file tree is being made, with its /tmp and runtime directory.
Result<void> bring_display_in(const SessionRequest& request, const std::string& root);
// The sockets of PipeWire and PulseAudio that exist; without either, none.
Result<void> bring_audio_in(const SessionRequest& request, const std::string& root);

} // namespace tacet
