// SPDX-License-Identifier: GPL-3.0-or-later
// What a session with a display runs beside its program, so that one can use it as a desktop.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/session_request.h"

namespace tacet {

// Returns command lines: of the window manager, and, as far as they are installed, of the input method that the person's
// environment names (Fcitx or IBus) and of the screen reader when it is wanted.
std::vector<std::vector<std::string>> desktop_helpers(const SessionRequest& request,
                                                      const std::function<bool(const std::string& program)>& is_installed);

} // namespace tacet
