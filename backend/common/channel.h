// SPDX-License-Identifier: GPL-3.0-or-later
// Messages with file descriptors over a SOCK_SEQPACKET socket: between tacetd and the programs that it starts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

struct Message {
    std::string text; // empty: the other side is gone
    std::vector<UniqueFd> files;
};

inline constexpr std::size_t message_max = std::size_t{32} * 1024;
inline constexpr std::size_t message_files_max = 128;

// Both ends of a new channel, close-on-exec.
Result<std::pair<UniqueFd, UniqueFd>> make_channel();
enum class SendMode { AtOnce, Wait }; // where the other side has not taken the earlier ones yet: fail, or wait

Result<void> send_message(int channel, std::string_view text, std::span<const int> files = {}, SendMode mode = SendMode::AtOnce);
// Waits unless the socket does not block.
Result<Message> receive_message(int channel);

// A sealed memory file with this content, to be read from its beginning.
Result<UniqueFd> make_memory_file(const std::string& content);
Result<std::string> read_memory_file(int file, std::size_t size_max);

} // namespace tacet
