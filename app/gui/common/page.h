// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the window, in the order in which it shows them.
#pragma once

namespace Tacet {

enum class Page { Files, Activity, Sessions, Memory, Rules };

} // namespace Tacet
