// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the file system of a store.
#pragma once

#include <string>

namespace tacet {

// A file system that outlives a crash has a journal. Returns whether it was made.
enum class Journal { No, Yes };
bool make_ext4(const std::string& device, Journal journal);

} // namespace tacet
