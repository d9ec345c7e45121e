// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of the store besides rules: labelled files and the log.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/file_key.h"
#include "contract/codes.h"
#include "daemon/core/label.h"
#include "daemon/core/question.h"
#include "daemon/core/rule.h"

namespace tacet {

using contract::Presence;

// A file of the index. The extended attribute of the inode is the truth, and the entry finds the inode again.
struct LabelledFile {
    std::int64_t id = 0;
    FileKey key;
    std::string path; // is for show: the file was seen there last
    uid_t owner = 0;  // is the inode's, when it was seen last
    Label label;
    std::vector<std::string> categories;
    bool derived = false;
    Presence presence = Presence::Kept;
    bool shadow = false; // there is a shadow file, current at shadow_size and shadow_mtime
    std::uint64_t shadow_size = 0;
    std::int64_t shadow_mtime = 0;
    UnixTime since = 0;

    bool operator==(const LabelledFile&) const = default;
};

struct LogEntry {
    std::uint64_t id = 0;
    UnixTime time = 0;
    uid_t owner = 0;
    std::string kind;
    std::string verdict;
    RuleId rule = 0;
    pid_t pid = 0;
    std::string executable;
    std::string comm;
    std::string file;
    std::vector<std::string> categories;
    std::string sink; // empty: nothing was to be sent or changed
    std::string host;
    std::uint16_t port = 0;
    std::uint64_t length = 0;
    std::string reason;
};

} // namespace tacet
