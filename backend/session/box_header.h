// SPDX-License-Identifier: GPL-3.0-or-later
// The header of a box (common/box.h), which tacet-box makes and reads.
#pragma once

#include "common/box.h"
#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

// file: open for reading and writing, and locked by the caller. passphrase: a pipe, read to its end within 30 s. program:
// tacet-box, by default the installed one. ret_key: the key of the box's data. Errors: InvalidArgument (wrong passphrase),
// Failed.
Result<void> make_box_header(const UniqueFd& file, const UniqueFd& passphrase, StoreKeyBytes& ret_key,
                             const char* program = nullptr);
Result<void> open_box_header(const UniqueFd& file, const UniqueFd& passphrase, StoreKeyBytes& ret_key,
                             const char* program = nullptr);

} // namespace tacet
