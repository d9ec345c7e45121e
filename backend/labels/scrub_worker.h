// SPDX-License-Identifier: GPL-3.0-or-later
// Runs tacet-scrub on one file, without waiting for it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "util/event_loop.h"
#include "util/result.h"

namespace tacet {

class ScrubWorker {
public:
    virtual ~ScrubWorker() = default;
    // input, output: stay the caller's, needed only during the call. Dropping the Pending ends the work.
    virtual Result<std::unique_ptr<Pending>> start(int input, int output, std::function<void(bool succeeded)> done) = 0;
};

class ScrubProcess final : public ScrubWorker {
public:
    ScrubProcess(EventLoop& loop, std::string program) : loop_(loop), program_(std::move(program)) {}
    Result<std::unique_ptr<Pending>> start(int input, int output, std::function<void(bool)> done) override;

private:
    EventLoop& loop_;
    std::string program_;
};

} // namespace tacet
