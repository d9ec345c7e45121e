// SPDX-License-Identifier: GPL-3.0-or-later
// Makes mounts by file descriptors.
#pragma once

#include <linux/mount.h>

#include <string>
#include <vector>

#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

constexpr unsigned plain = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;

struct MountOption {
    const char* name;
    std::string value; // empty for a flag
};

// Makes a new file system that is not yet mounted anywhere.
Result<UniqueFd> make_mount(const char* type, const std::vector<MountOption>& options, unsigned attributes);
Result<void> attach(const UniqueFd& mount, const std::string& point);
Result<void> mount_fresh(const char* type, const std::vector<MountOption>& options, unsigned attributes,
                         const std::string& point);
// Binds source to point.
Result<void> bind(const std::string& source, const std::string& point, unsigned attributes, bool with_submounts = false);

} // namespace tacet
