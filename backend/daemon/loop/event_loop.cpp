// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/loop/event_loop.h"

#include <sys/inotify.h>
#include <systemd/sd-event.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace tacet {
namespace {

void check(int status, const char* what)
{
    if (status < 0)
        throw std::system_error(-status, std::generic_category(), what);
}

// A shared pointer holds the callback, and each dispatch takes a copy of it. So a callback may destroy its own Pending.
template <typename Callback>
class Source final : public Pending {
public:
    explicit Source(Callback callback) : callback_(std::make_shared<Callback>(std::move(callback))) {}
    ~Source() override
    {
        if (source_ != nullptr)
            sd_event_source_disable_unref(source_);
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    static std::shared_ptr<Callback> callback_of(void* self) { return static_cast<Source*>(self)->callback_; }
    sd_event_source** slot() { return &source_; }

private:
    sd_event_source* source_ = nullptr;
    std::shared_ptr<Callback> callback_;
};

using TimerSource = Source<std::function<void()>>;
using IdleSource = Source<std::function<bool()>>;
using WatchSource = Source<std::function<void(std::uint32_t)>>;
using DirectorySource = Source<std::function<void(std::string)>>;

int on_timer(sd_event_source*, std::uint64_t, void* self)
{
    (*TimerSource::callback_of(self))();
    return 0;
}

int on_idle(sd_event_source* source, void* self)
{
    const auto step = IdleSource::callback_of(self);
    const bool goes_on = (*step)();
    // When the step dropped its own Pending, the source is no longer part of the loop.
    if (!goes_on && step.use_count() > 1)
        sd_event_source_set_enabled(source, SD_EVENT_OFF);
    return 0;
}

int on_ready(sd_event_source*, int, std::uint32_t events, void* self)
{
    (*WatchSource::callback_of(self))(events);
    return 0;
}

int on_created(sd_event_source*, const inotify_event* event, void* self)
{
    (*DirectorySource::callback_of(self))(event->len > 0 ? event->name : "");
    return 0;
}

} // namespace

EventLoop::EventLoop()
{
    check(sd_event_default(&event_), "sd_event_default");
}

EventLoop::~EventLoop()
{
    sd_event_unref(event_);
}

std::unique_ptr<Pending> EventLoop::at(BootTime when, std::function<void()> callback)
{
    auto source = std::make_unique<TimerSource>(std::move(callback));
    const auto microseconds = std::chrono::ceil<std::chrono::microseconds>(when).count();
    check(sd_event_add_time(event_, source->slot(), CLOCK_BOOTTIME, static_cast<std::uint64_t>(std::max<long>(microseconds, 0)),
                            1000, on_timer, source.get()),
          "sd_event_add_time");
    return source;
}

std::unique_ptr<Pending> EventLoop::soon(std::function<bool()> step)
{
    return defer(std::move(step), SD_EVENT_PRIORITY_NORMAL);
}

std::unique_ptr<Pending> EventLoop::idle(std::function<bool()> step)
{
    return defer(std::move(step), SD_EVENT_PRIORITY_IDLE);
}

std::unique_ptr<Pending> EventLoop::defer(std::function<bool()> step, std::int64_t priority)
{
    auto source = std::make_unique<IdleSource>(std::move(step));
    check(sd_event_add_defer(event_, source->slot(), on_idle, source.get()), "sd_event_add_defer");
    check(sd_event_source_set_enabled(*source->slot(), SD_EVENT_ON), "sd_event_source_set_enabled");
    check(sd_event_source_set_priority(*source->slot(), priority), "sd_event_source_set_priority");
    return source;
}

std::unique_ptr<Pending> EventLoop::watch(int fd, std::uint32_t events, std::function<void(std::uint32_t)> callback)
{
    auto source = std::make_unique<WatchSource>(std::move(callback));
    check(sd_event_add_io(event_, source->slot(), fd, events, on_ready, source.get()), "sd_event_add_io");
    return source;
}

std::unique_ptr<Pending> EventLoop::watch_directory(const std::string& path, std::function<void(std::string)> callback)
{
    auto source = std::make_unique<DirectorySource>(std::move(callback));
    check(sd_event_add_inotify(event_, source->slot(), path.c_str(), IN_CREATE | IN_ATTRIB, on_created, source.get()),
          "sd_event_add_inotify");
    return source;
}

void EventLoop::exit_on_signals()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    check(sd_event_add_signal(event_, nullptr, SIGTERM, nullptr, nullptr), "sd_event_add_signal");
    check(sd_event_add_signal(event_, nullptr, SIGINT, nullptr, nullptr), "sd_event_add_signal");
}

void EventLoop::feed_watchdog()
{
    check(sd_event_set_watchdog(event_, 1), "sd_event_set_watchdog");
}

int EventLoop::run()
{
    return sd_event_loop(event_);
}

void EventLoop::exit(int code)
{
    sd_event_exit(event_, code);
}

} // namespace tacet
