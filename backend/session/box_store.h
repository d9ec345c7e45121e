// SPDX-License-Identifier: GPL-3.0-or-later
// The store of a private session in a box (common/box.h). It stays when the session is over.
#pragma once

#include "common/result.h"
#include "common/session_request.h"
#include "common/unique_fd.h"

namespace tacet {

// Opens the box that the request names, or makes it. passphrase: a pipe from which the passphrase is read to its end. Returns a
// mount that is attached nowhere yet (nosuid, nodev, noatime). Errors: InvalidArgument (wrong passphrase, a size for a box that
// is there already), DiskFull, Failed (in use, damaged).
Result<UniqueFd> open_box_store(const SessionRequest& request, const UniqueFd& passphrase);

// Waits, for at most 3 s, until the devices of an ended session have let go of its box. Then the next one can have it.
void wait_for_box(const SessionRequest& request);

} // namespace tacet
