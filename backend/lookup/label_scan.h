// SPDX-License-Identifier: GPL-3.0-or-later
// Looks through file systems for files that carry a label.
#pragma once

#include <functional>
#include <string>

#include "common/lookup_message.h"

namespace tacet::lookup {

struct LookNews {
    // A finding without a file tells of a place that could not be looked at.
    std::function<void(Finding)> found;
    // The verbs are those of label_request().
    std::function<void(const std::string& verb, const std::string& file_system)> tell;
};

// A folder limits the look to what is in it. is_wanted tells whether a file system is looked through.
void find_labels(const std::string& folder, const std::function<bool(const std::string&)>& is_wanted, const LookNews& news);

} // namespace tacet::lookup
