// SPDX-License-Identifier: GPL-3.0-or-later
// Runs tacet-scrub on some files, without waiting for it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "common/result.h"
#include "daemon/loop/event_loop.h"

namespace tacet {

struct ScrubFile {
    int input;
    int output;
};

class ScrubWorker {
public:
    static constexpr std::size_t files_max = 64; // a call

    virtual ~ScrubWorker() = default;
    // The descriptors stay the caller's, and are needed only during the call. succeeded tells that all files are done.
    // Otherwise the output of a file that was not reached is shorter than its input. Dropping the Pending ends the work.
    virtual Result<std::unique_ptr<Pending>> start(std::span<const ScrubFile> files,
                                                   std::function<void(bool succeeded)> done) = 0;
};

class ScrubProcess final : public ScrubWorker {
public:
    ScrubProcess(EventLoop& loop, std::string program) : loop_(loop), program_(std::move(program)) {}
    Result<std::unique_ptr<Pending>> start(std::span<const ScrubFile> files, std::function<void(bool)> done) override;

private:
    EventLoop& loop_;
    std::string program_;
};

} // namespace tacet
