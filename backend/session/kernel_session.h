// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel module's part of a session: its key, encrypted swap, cleared memory, and the guard against other programs. It
// also has the substitute where the module cannot do this.
#pragma once

#include <string>

#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

// Begins the kernel's session of a control group (the path of its directory). It ends with the last close of the descriptor.
// Returns no descriptor if the module is not loaded, and an error if the module refuses.
Result<UniqueFd> begin_kernel_session(const std::string& group);

// Lets the session's programs reach a UNIX socket that was made outside. socket: a descriptor of its file (O_PATH).
// kernel_session: the descriptor, or -1 without the module, which then keeps them from none.
Result<void> allow_socket(int kernel_session, const UniqueFd& socket);

// Keeps a session's memory off swap areas that would not encrypt it, also off areas that are added while it runs.
class SwapGuard {
public:
    // has_key tells whether the kernel has a session for the group.
    static Result<SwapGuard> make(const std::string& group, bool has_key);

    // Readable (POLLPRI) when the machine's swap areas have changed. Then the caller calls check().
    int changes() const { return areas_.get(); }
    Result<void> check();
    // The memory of this process stays off the swap from now on, and what is there comes back.
    void keep_in_memory() const;

private:
    SwapGuard(UniqueFd areas, const std::string& group, bool has_key);

    UniqueFd areas_;
    // memory.swap.max and memory.swap.current; empty if this kernel does not account for swap, or has none
    UniqueFd limit_;
    UniqueFd usage_;
    bool has_key_;
};

} // namespace tacet
