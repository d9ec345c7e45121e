// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the window, in the order in which it shows them.
#pragma once

#include <QLatin1StringView>

#include <iterator>

namespace Tacet {

enum class Page { Files, Activity, Sessions, Memory, Rules };

// Their words on the command line, in the same order.
inline constexpr QLatin1StringView pageWords[] = {QLatin1StringView("files"), QLatin1StringView("activity"), QLatin1StringView("sessions"),
                                                  QLatin1StringView("memory"), QLatin1StringView("rules")};
static_assert(std::size(pageWords) == std::size_t(Page::Rules) + 1);

} // namespace Tacet
