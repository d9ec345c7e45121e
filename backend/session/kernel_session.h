// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel module's part of a session: key, encrypted swap, cleared memory, the guard against other programs; and what
// stands in for it where it cannot.
#pragma once

#include <string>

#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

// The kernel's session of a control group (the path of its directory): it ends with the last close of the descriptor. No
// descriptor when the module is not loaded; an error when it is, and refuses.
Result<UniqueFd> begin_kernel_session(const std::string& group);

// Keeps a session's memory off swap areas that would not encrypt it, also those that are added while it runs.
class SwapGuard {
public:
    // has_key: the kernel has a session for the group.
    static Result<SwapGuard> make(const std::string& group, bool has_key);

    // Readable (POLLPRI) when the machine's swap areas have changed: then call check().
    int changes() const { return areas_.get(); }
    Result<void> check();

private:
    SwapGuard(UniqueFd areas, UniqueFd limit, bool has_key);

    UniqueFd areas_;
    UniqueFd limit_; // memory.swap.max; empty: this kernel does not account for swap, or has none
    bool has_key_;
};

} // namespace tacet
