// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/kernel_session.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <tacet.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/swap_areas.h"

namespace tacet {
namespace {

Error failure(const std::string& what)
{
    return {ErrorCode::Failed, what + ": " + std::strerror(errno)};
}

} // namespace

Result<UniqueFd> begin_kernel_session(const std::string& group)
{
    // The device is opened for writing only, as the event stream is the daemon's.
    const UniqueFd device(open(TACET_DEVICE, O_WRONLY | O_CLOEXEC));
    if (!device && (errno == ENOENT || errno == ENXIO || errno == ENODEV))
        return UniqueFd();
    if (!device)
        return failure("the kernel module is not reached");
    const UniqueFd directory(open(group.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    tacet_session session{};
    session.cgroup_fd = directory.get();
    UniqueFd descriptor(ioctl(device.get(), TACET_IOC_SESSION, &session));
    return descriptor ? Result<UniqueFd>(std::move(descriptor)) : failure("the kernel module refuses a session");
}

Result<void> allow_socket(int kernel_session, const UniqueFd& socket)
{
    tacet_session_socket request{};
    request.fd = socket.get();
    if (kernel_session >= 0 && ioctl(kernel_session, TACET_SESSION_SOCKET, &request) != 0)
        return failure("the kernel module refuses a socket");
    return {};
}

SwapGuard::SwapGuard(UniqueFd areas, const std::string& group, bool has_key)
    : areas_(std::move(areas)),
      limit_(open((group + "/memory.swap.max").c_str(), O_WRONLY | O_CLOEXEC)),
      usage_(open((group + "/memory.swap.current").c_str(), O_RDONLY | O_CLOEXEC)),
      has_key_(has_key)
{
}

Result<SwapGuard> SwapGuard::make(const std::string& group, bool has_key)
{
    UniqueFd areas(open("/proc/swaps", O_RDONLY | O_CLOEXEC));
    if (!areas && errno != ENOENT)
        return failure("/proc/swaps");
    SwapGuard guard(std::move(areas), group, has_key);
    if (auto checked = guard.check(); !checked)
        return checked.error();
    return guard;
}

Result<void> SwapGuard::check()
{
    const SwapState state = areas_ ? swap_state() : SwapState::None;
    if (state == SwapState::None || (state == SwapState::Encrypted && has_key_))
        return {};
    // This is for good, as memory that the session has by then stays in memory.
    if (!limit_ || write(limit_.get(), "0", 1) != 1)
        return failure("the session's memory cannot be kept off the swap");
    return {};
}

void SwapGuard::keep_in_memory() const
{
    // Should one of these fail, the process may crash, which has no other consequence.
    static_cast<void>(!write(limit_.get(), "0", 1));
    char usage = '0';
    if (pread(usage_.get(), &usage, 1, 0) == 1 && usage != '0')
        static_cast<void>(mlockall(MCL_CURRENT));
}

} // namespace tacet
