// SPDX-License-Identifier: GPL-3.0-or-later
// A process that has put stamps into memory and freed them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "common/unique_fd.h"

namespace tacet::cli {

class StampProcess {
public:
    // Starts tacet-stamps and waits until it has freed its stamps. A chosen one is started as the program that the policy always
    // includes, with the library for its heap. Another one is a copy of it that the policy does not know. Throws
    // std::system_error or std::runtime_error.
    StampProcess(const std::string& place, std::uint64_t tag, bool chosen);
    ~StampProcess() { end(); }
    StampProcess(StampProcess&& other) noexcept;
    StampProcess& operator=(StampProcess&&) = delete;

    // Waits until it has ended.
    void end();

private:
    pid_t pid_ = -1;
    UniqueFd input_; // it ends when this is closed
};

} // namespace tacet::cli
