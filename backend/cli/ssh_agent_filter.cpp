// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/ssh_agent_filter.h"

#include <cstdint>

namespace tacet::cli {
namespace {

constexpr std::uint8_t failure = 5;
constexpr std::uint8_t request_identities = 11;
constexpr std::uint8_t sign_request = 13;

} // namespace

std::size_t agent_body_size(std::string_view length)
{
    constexpr unsigned bits = 8;
    std::size_t size = 0;
    for (const char byte : length.substr(0, agent_length_size))
        size = size << bits | static_cast<std::uint8_t>(byte);
    return length.size() < agent_length_size || size > agent_body_max ? 0 : size;
}

bool is_agent_request_allowed(std::string_view body)
{
    if (body.empty())
        return false;
    const auto type = static_cast<std::uint8_t>(body.front());
    // The question for the keys has nothing but its type.
    return type == sign_request || (type == request_identities && body.size() == 1);
}

std::string agent_refusal()
{
    return {'\0', '\0', '\0', '\1', static_cast<char>(failure)};
}

} // namespace tacet::cli
