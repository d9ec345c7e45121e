// SPDX-License-Identifier: GPL-3.0-or-later
// The screen reader that a private session can run.
#pragma once

namespace tacet {

constexpr const char* screen_reader = "/usr/bin/orca";

} // namespace tacet
