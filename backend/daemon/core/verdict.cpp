// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/core/verdict.h"

#include <array>
#include <cstddef>

namespace tacet {
namespace {

constexpr std::array<std::string_view, 5> verdict_names{"block", "quit", "takeover", "scrub", "allow"};
constexpr std::array<std::string_view, 6> duration_names{"once", "process", "15min", "1h", "reboot", "always"};

template <typename Enum, std::size_t size>
std::optional<Enum> parse(const std::array<std::string_view, size>& names, std::string_view text)
{
    for (std::size_t index = 0; index < size; ++index) {
        if (names[index] == text)
            return static_cast<Enum>(index);
    }
    return std::nullopt;
}

} // namespace

std::string_view to_string(Verdict verdict)
{
    return verdict_names[static_cast<std::size_t>(verdict)];
}

std::string_view to_string(Duration duration)
{
    return duration_names[static_cast<std::size_t>(duration)];
}

std::optional<Verdict> parse_verdict(std::string_view text)
{
    return parse<Verdict>(verdict_names, text);
}

std::optional<Duration> parse_duration(std::string_view text)
{
    return parse<Duration>(duration_names, text);
}

} // namespace tacet
