// SPDX-License-Identifier: GPL-3.0-or-later
// The passphrase of a box: asked at the terminal or read from a file, and handed over by a pipe, which no swap and no message
// bus sees.
#pragma once

#include <optional>
#include <string>

#include "common/unique_fd.h"

namespace tacet::cli {

struct PassphraseRequest {
    std::string box;
    bool is_new = false;             // asked twice, and must be long enough
    std::optional<std::string> file; // its first line; without a file the person is asked
};

// Returns the pipe, from which all can be read. Throws std::runtime_error: no terminal, no such file, too short, not the same.
UniqueFd passphrase_pipe(const PassphraseRequest& request);

} // namespace tacet::cli
