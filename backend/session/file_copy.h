// SPDX-License-Identifier: GPL-3.0-or-later
// Copies one regular file out of a session, whose programs may be trying to have another one copied.
#pragma once

#include <string>

#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

// path: absolute, in the tree at root. Follows no symbolic link, and opens only a regular file of the session's own that the
// caller may read. May fail with NotFound or NotRegular.
Result<UniqueFd> open_session_file(int root, const std::string& path);

// to: a regular file or a pipe, open for writing. The caller bounds the time, as an interrupted write is a failure.
// on_progress is called before each write.
Result<void> copy_out(int from, int to, void (*on_progress)());

} // namespace tacet
