// SPDX-License-Identifier: GPL-3.0-or-later
// The machine's mounts that a private session sees copied on write. They are read from /proc/self/mountinfo.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacet {

// Returns the mount points of real file systems besides the root, parents first. It leaves out places that the session gets
// fresh (/proc, /sys, /dev, /run but for /run/media, /tmp) and file systems of the kernel's own.
std::vector<std::string> plan_mounts(std::string_view mountinfo);

} // namespace tacet
