// SPDX-License-Identifier: GPL-3.0-or-later
// The machine's mounts that a private session sees copied on write. They are read from /proc/self/mountinfo.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacet {

// Returns the mount points of real file systems besides the root, parents first. It leaves out places that the session gets
// fresh (/proc, /sys, /dev, /run but for /run/media, /tmp), file systems of the kernel's own, and those whose server would be
// told each name that a program looks up: a program of a person's (FUSE) and, without the network, another machine. The one with
// the home folder stays, as nothing would start without it.
std::vector<std::string> plan_mounts(std::string_view mountinfo, std::string_view home, bool has_network);

} // namespace tacet
