// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/kernel_link/stamp_counter.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include <tacet.h>

namespace tacet {

static Result<StampCounter::Counts> counted(int device, const StampCounter::Counts& tags)
{
    std::vector<tacet_stamp_count> counts;
    for (const std::uint64_t tag : tags)
        counts.push_back({tag, 0, 0});
    tacet_stamp_counts request{};
    request.counts = reinterpret_cast<std::uintptr_t>(counts.data());
    request.count = static_cast<__u32>(counts.size());
    if (ioctl(device, TACET_IOC_STAMPS, &request) != 0)
        return Error{errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Failed,
                     std::string("counting stamps: ") + std::strerror(errno)};
    StampCounter::Counts whole;
    for (const tacet_stamp_count& count : counts)
        whole.push_back(count.whole);
    return whole;
}

StampCounter::StampCounter(EventLoop& loop) : loop_(loop), ended_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void StampCounter::count(int device, const std::vector<std::uint64_t>& tags, std::function<void(Result<Counts>)> done)
{
    if (thread_.joinable())
        return done(Error{ErrorCode::TooMany, "another count is under way"});
    UniqueFd own(fcntl(device, F_DUPFD_CLOEXEC, 0));
    if (!ended_ || !own)
        return done(Error{ErrorCode::Failed, "counting stamps: no file descriptor is left"});
    done_ = std::move(done);
    watch_ = loop_.watch(ended_.get(), EPOLLIN, [this](std::uint32_t) { end(); });
    thread_ = std::jthread([this, device = std::move(own), tags] {
        counts_ = counted(device.get(), tags);
        eventfd_write(ended_.get(), 1);
    });
}

void StampCounter::end()
{
    eventfd_t value = 0;
    eventfd_read(ended_.get(), &value);
    thread_.join();
    const auto watch = std::move(watch_);
    const auto done = std::move(done_);
    done(std::move(counts_));
}

} // namespace tacet
