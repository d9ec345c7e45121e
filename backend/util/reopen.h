// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "util/unique_fd.h"

namespace tacet {

// The file behind a descriptor (also an O_PATH one), for reading; none and errno on failure.
UniqueFd reopen_for_reading(int fd);

} // namespace tacet
