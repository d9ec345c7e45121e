// SPDX-License-Identifier: GPL-3.0-or-later
// The words of an answer: what happens and for how long. Spelled as in the D-Bus contract.
#pragma once

#include <optional>
#include <string_view>

namespace tacet {

// In the order of precedence between two rules that are alike: the stricter one first. Takeover: the doppelganger takes the
// original's place, and the process goes on on scrubbed data.
enum class Verdict { Block, Quit, Takeover, Scrub, Allow };
enum class Duration { Once, Process, Minutes15, Hour, Reboot, Always };

std::string_view to_string(Verdict verdict);
std::string_view to_string(Duration duration);
std::optional<Verdict> parse_verdict(std::string_view text);
std::optional<Duration> parse_duration(std::string_view text);

} // namespace tacet
