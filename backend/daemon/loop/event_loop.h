// SPDX-License-Identifier: GPL-3.0-or-later
// The daemon's one event loop: sd-event behind RAII.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "daemon/loop/scheduler.h"

struct sd_event;

namespace tacet {

class EventLoop final : public Scheduler {
public:
    EventLoop();
    ~EventLoop() override;
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    std::unique_ptr<Pending> at(BootTime when, std::function<void()> callback) override;
    std::unique_ptr<Pending> soon(std::function<bool()> step) override;
    std::unique_ptr<Pending> idle(std::function<bool()> step) override;

    // events is a mask of EPOLL*. The fd stays the caller's.
    [[nodiscard]] std::unique_ptr<Pending> watch(int fd, std::uint32_t events, std::function<void(std::uint32_t)> callback);
    // Calls back when a file appeared in the directory.
    [[nodiscard]] std::unique_ptr<Pending> watch_directory(const std::string& path, std::function<void(std::string)> callback);

    void exit_on_signals();
    void feed_watchdog();
    int run();
    void exit(int code);
    sd_event* get() const { return event_; }

private:
    std::unique_ptr<Pending> defer(std::function<bool()> step, std::int64_t priority);

    sd_event* event_ = nullptr;
};

} // namespace tacet
