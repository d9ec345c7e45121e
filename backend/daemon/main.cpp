// SPDX-License-Identifier: GPL-3.0-or-later
// tacetd opens store, kernel and bus in this order, so that labels are in force before anybody can ask for anything.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>

#include <cstdlib>
#include <exception>

#include "common/journal.h"
#include "daemon/daemon.h"
#include "daemon/kernel_link/device_link.h"
#include "daemon/lookups/lookup_processes.h"
#include "daemon/names/names_link.h"
#include "daemon/sessions/systemd_host.h"

namespace {

using namespace tacet;

constexpr auto mounts_settle = std::chrono::seconds(1);
// A disk that does not answer must not keep the machine from starting. Its files are looked for again later.
constexpr auto arming_max = std::chrono::minutes(1);

std::string state_directory()
{
    const char* given = std::getenv("STATE_DIRECTORY");
    return given != nullptr ? given : "/var/lib/tacet";
}

// Homes may be mounted long after the boot. So labelled files on them are looked for again.
class MountWatch {
public:
    MountWatch(EventLoop& loop, Daemon& daemon) : mounts_(open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC))
    {
        changed_ = loop.watch(mounts_.get(), EPOLLPRI, [this, &loop, &daemon](std::uint32_t) {
            // If each mount began the wait anew, endless mounts would put it off for ever.
            if (settled_ == nullptr)
                settled_ = loop.at(SystemClock().boottime() + mounts_settle, [this, &daemon] {
                    const auto ended = std::move(settled_);
                    daemon.look_again();
                });
        });
    }

private:
    UniqueFd mounts_;
    std::unique_ptr<Pending> changed_;
    std::unique_ptr<Pending> settled_;
};

int run()
{
    umask(0077);
    const std::string directory = state_directory();
    mkdir(directory.c_str(), 0700);
    EventLoop loop;
    loop.exit_on_signals();
    auto store = open_store(directory, migrations());
    if (!store) {
        journal(Priority::Error, store.error().message);
        return EXIT_FAILURE;
    }
    if (!store->damage.empty())
        journal(Priority::Error, store->damage + "; lasting rules are refused until it is moved away");
    const SystemClock clock;
    DeviceLink kernel(loop, TACET_PRIVATE_LIBDIR "/libtacet-heap-once.so");
    BusServer bus(loop);
    ScrubProcess worker(loop, TACET_LIBEXECDIR "/tacet-scrub");
    LookupProcesses lookups(loop, TACET_LIBEXECDIR "/tacet-lookup");
    SystemdHost host(loop, bus.connection(), TACET_LIBEXECDIR "/tacet-session");
    ProcProcessTable processes;
    NamesLink names(loop);
    int code = EXIT_FAILURE;
    bool is_settled = false;
    {
        Daemon::Settings settings{directory, ""};
        settings.stamps = TACET_LIBEXECDIR "/tacet-stamps";
        if (const char* given = std::getenv("TACET_SESSIONS_MAX"); given != nullptr) {
            if (const auto most = parse_sessions_max(given))
                settings.sessions_max = *most;
            else
                journal(Priority::Warning, "TACET_SESSIONS_MAX: " + most.error().message);
        }
        Daemon daemon(*store, settings,
                      {kernel, bus.agents(), bus.authority(), bus, worker, lookups, host, processes, clock, loop, names});
        names.start();
        kernel.start();
        std::unique_ptr<Pending> overdue;
        const auto publish = [&] {
            if (!std::exchange(overdue, nullptr))
                return;
            bus.publish(daemon.services());
            sd_notify(0, "READY=1");
        };
        overdue = loop.at(clock.boottime() + arming_max, publish);
        daemon.take_over(publish);
        const MountWatch mounts(loop, daemon);
        loop.feed_watchdog();
        code = loop.run();
        is_settled = daemon.is_settled();
    }
    // Without the seal the next daemon looks for labels on all file systems.
    if (auto sealed = is_settled ? seal(*store) : Result<void>(); !sealed)
        journal(Priority::Warning, sealed.error().message);
    return code;
}

} // namespace

int main()
{
    try {
        return run();
    } catch (const std::exception& failure) {
        journal(Priority::Error, std::string("tacetd ends: ") + failure.what());
        return EXIT_FAILURE;
    }
}
