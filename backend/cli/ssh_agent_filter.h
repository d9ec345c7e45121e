// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of the SSH agent protocol (draft-ietf-sshm-ssh-agent): four bytes of length, most significant first, and a body,
// which begins with its type.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tacet::cli {

inline constexpr std::size_t agent_length_size = 4;
inline constexpr std::size_t agent_body_max = std::size_t{256} * 1024; // as OpenSSH has it

// Returns the size of the body in bytes; 0 if the length is of no message that an agent takes.
std::size_t agent_body_size(std::string_view length);

// Whether a private program may ask this. It may ask for the public keys and have something signed. All else changes what the
// person's other programs find in the agent: keys with comments, a lock, extensions.
bool is_agent_request_allowed(std::string_view body);

// The whole message by which an agent refuses.
std::string agent_refusal();

} // namespace tacet::cli
