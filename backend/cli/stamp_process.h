// SPDX-License-Identifier: GPL-3.0-or-later
// Processes of tacet-stamps. A chosen one is started as the program that the policy always includes. Another one is a copy of it
// that the policy does not know.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "common/unique_fd.h"

namespace tacet::cli {

// Does work of a kind that backend/stamps/work.h names. Returns the microseconds of processor time that it took. Throws
// std::system_error or std::runtime_error.
std::uint64_t measure_work(const std::string& kind, bool chosen);

class StampProcess {
public:
    // Starts it and waits until it has put stamps into memory. Throws std::system_error or std::runtime_error.
    StampProcess(const std::string& place, std::uint64_t tag, bool chosen);
    ~StampProcess() { end(); }
    StampProcess(StampProcess&& other) noexcept;
    StampProcess& operator=(StampProcess&&) = delete;

    // Lets it free them, and waits until it has. Throws std::runtime_error.
    void free_stamps();
    // Waits until it has ended.
    void end();

private:
    void wait_for_line();

    std::string place_;
    pid_t pid_ = -1;
    UniqueFd input_;       // it ends when this is closed
    UniqueFd reading_end_; // of its input: as long as this is open, writing raises no signal, even if the program has ended
    UniqueFd output_;
};

} // namespace tacet::cli
