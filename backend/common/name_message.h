// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between tacet-names and tacetd: a line of words in each message of a channel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tacet {

struct LearnedName {
    std::string address;
    std::string name;
    std::uint32_t seconds = 0; // to live, as the answer said
    bool operator==(const LearnedName&) const = default;
};

inline constexpr const char* names_socket = "/run/tacet-names";

// Whether the DNS is seen; told first, once.
struct WatchState {
    bool watching = false;
    bool operator==(const WatchState&) const = default;
};

// tacetd asks for what was seen until now; tacet-names tells it and then repeats the number.
struct CatchUp {
    std::uint64_t number = 0;
    bool operator==(const CatchUp&) const = default;
};

using NameMessage = std::variant<WatchState, CatchUp, LearnedName>;

std::string to_text(const NameMessage& message);
// Nothing for what is not a message, or names no valid address or host.
std::optional<NameMessage> parse_name_message(std::string_view text);

} // namespace tacet
