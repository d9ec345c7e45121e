// SPDX-License-Identifier: GPL-3.0-or-later
// Lines for the system's journal; service/ and main only, the other folders return errors.
#pragma once

#include <string_view>

namespace tacet {

enum class Priority { Error = 3, Warning = 4, Notice = 5, Info = 6 };

void journal(Priority priority, std::string_view text);

} // namespace tacet
