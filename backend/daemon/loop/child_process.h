// SPDX-License-Identifier: GPL-3.0-or-later
// A ChildProcess is a program that works for the daemon. The daemon does not wait for it, not even for its death.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/result.h"
#include "common/unique_fd.h"
#include "daemon/loop/event_loop.h"

namespace tacet {

class ChildProcess {
public:
    // input becomes its standard input, and the caller's copy stays open. on_exit may destroy the object.
    static Result<std::unique_ptr<ChildProcess>> start(EventLoop& loop, const std::string& program, int input,
                                                       std::function<void(bool succeeded)> on_exit);
    // Kills the process. on_exit is called no more.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    // The process ends as soon as it leaves the kernel.
    void kill();

private:
    ChildProcess(EventLoop& loop, UniqueFd process, std::function<void(bool)> on_exit)
        : loop_(loop), process_(std::move(process)), on_exit_(std::move(on_exit))
    {
    }
    void finish();

    EventLoop& loop_;
    UniqueFd process_;
    std::function<void(bool)> on_exit_;
    std::unique_ptr<Pending> exited_;
    bool reaped_ = false;
};

} // namespace tacet
