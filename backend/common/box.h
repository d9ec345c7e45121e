// SPDX-License-Identifier: GPL-3.0-or-later
// A box keeps what private sessions change, from one session to the next. It is a file encrypted under its owner's passphrase,
// in the format LUKS2, which cryptsetup(8) opens too. tacetd lists boxes, tacet-session opens one, tacet-box reads its header.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "common/secret.h"

namespace tacet {

inline constexpr const char* boxes_folder = "/var/lib/tacet/boxes";
// The header takes so many bytes at the beginning of the file. Without them nobody opens the box.
inline constexpr std::uint64_t box_header_size = 1U << 20;
inline constexpr std::size_t store_key_size = 64; // two keys of AES-256, for XTS
// In bytes. The lower limit is for a new box.
inline constexpr std::size_t passphrase_least = 8;
inline constexpr std::size_t passphrase_max = 512;

using Passphrase = Secret<passphrase_max>;
using StoreKeyBytes = Secret<store_key_size>;

// What tacet-box exits with.
enum class BoxOutcome { Done, Failed, WrongPassphrase };

inline constexpr const char* box_name_rule =
    "the name of a box has 1 to 64 letters, digits, dots, dashes and underscores, and begins"
    " with no dot and no dash";
bool is_box_name(std::string_view name);
// The folder of one person's boxes. Their files have the names of the boxes.
std::string boxes_of(const std::string& folder, uid_t owner);

} // namespace tacet
