// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/kernel_link/device_link.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "daemon/kernel_link/records.h"

namespace tacet {
namespace {

constexpr std::size_t buffer_size = 8 * sizeof(tacet_question);
constexpr auto retry_interval = std::chrono::seconds(10);

Error error_of(int number, const char* what)
{
    const std::string message = std::string(what) + ": " + std::strerror(number);
    switch (number) {
    case ENOENT:
        return {ErrorCode::NoSuchQuestion, message};
    case ENODATA:
        return {ErrorCode::NotLabelled, message};
    case EOPNOTSUPP:
        return {ErrorCode::NoXattr, "this file system cannot carry a label"};
    case ENOSPC:
    case EDQUOT:
        return {ErrorCode::DiskFull, message};
    case EROFS:
        return {ErrorCode::NoXattr, "this file system is read-only"};
    default:
        return {ErrorCode::Failed, message};
    }
}

// In this place ENOENT has another meaning than for a verdict.
Error open_error(int number)
{
    const ErrorCode code = number == EACCES || number == EPERM ? ErrorCode::NotOwner : ErrorCode::Failed;
    return {code, std::string("opening the file: ") + std::strerror(number)};
}

} // namespace

DeviceLink::DeviceLink(EventLoop& loop, std::string heap_library)
    : loop_(loop), heap_library_(std::move(heap_library)), buffer_(buffer_size), stamps_(loop)
{
}

void DeviceLink::start()
{
    appears_ = loop_.watch_directory("/dev", [this](const std::string& name) {
        if (name == "tacet" && state_ != ModuleState::Active)
            try_open();
    });
    try_open();
}

void DeviceLink::try_open()
{
    retry_.reset();
    enter(open_device());
}

ModuleState DeviceLink::open_device()
{
    device_ = UniqueFd(open(TACET_DEVICE, O_RDWR | O_NONBLOCK | O_CLOEXEC));
    if (!device_)
        return errno == EBUSY ? ModuleState::Busy : ModuleState::Absent;
    tacet_info info{};
    if (ioctl(device_.get(), TACET_IOC_INFO, &info) != 0 || info.abi_version != TACET_ABI_VERSION) {
        device_ = UniqueFd();
        return ModuleState::Mismatch;
    }
    readable_ = loop_.watch(device_.get(), EPOLLIN, [this](std::uint32_t) { read_events(); });
    return ModuleState::Active;
}

void DeviceLink::enter(ModuleState state)
{
    const bool changed = state != state_;
    state_ = state;
    if (state != ModuleState::Active)
        retry_later();
    if (changed && on_state)
        on_state(state);
}

void DeviceLink::retry_later()
{
    retry_ = loop_.at(clock_.boottime() + retry_interval, [this] { try_open(); });
}

void DeviceLink::read_events()
{
    const ssize_t size = read(device_.get(), buffer_.data(), buffer_.size());
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (size <= 0) {
        close_device();
        return;
    }
    std::span<const char> data(buffer_.data(), static_cast<std::size_t>(size));
    while (!data.empty()) {
        const auto event = take_event(data);
        if (event && on_event)
            on_event(*event);
    }
}

void DeviceLink::close_device()
{
    readable_.reset();
    device_ = UniqueFd();
    enter(ModuleState::Absent);
}

template <typename Argument>
Result<void> DeviceLink::control(unsigned long request, Argument* argument, const char* what)
{
    if (state_ != ModuleState::Active)
        return Error{ErrorCode::ModuleAbsent, "the kernel module is not active"};
    if (ioctl(device_.get(), request, argument) != 0)
        return error_of(errno, what);
    return {};
}

KernelFeatures DeviceLink::features()
{
    tacet_info info{};
    if (!control(TACET_IOC_INFO, &info, "reading the module's state"))
        return {};
    const auto has = [&](tacet_feature feature) { return (info.features & feature) != 0; };
    return {has(TACET_FEATURE_LABELS),   has(TACET_FEATURE_INTERPOSITION), has(TACET_FEATURE_DOPPELGANGERS),
            has(TACET_FEATURE_CHANNELS), has(TACET_FEATURE_SESSIONS),      has(TACET_FEATURE_OBJECTS)};
}

bool DeviceLink::has_events()
{
    pollfd device{device_.get(), POLLIN, 0};
    return state_ == ModuleState::Active && poll(&device, 1, 0) > 0;
}

Result<UniqueFd> DeviceLink::open_file(int path)
{
    if (state_ != ModuleState::Active)
        return Error{ErrorCode::ModuleAbsent, "the kernel module is not active"};
    tacet_reopen request{path, 0};
    const int opened = ioctl(device_.get(), TACET_IOC_REOPEN, &request);
    if (opened < 0)
        return open_error(errno);
    return UniqueFd(opened);
}

Result<void> DeviceLink::set_label(int file, const Label& label, int shadow)
{
    if (label.categories.size() > label_max)
        return Error{ErrorCode::TooMany, "a file carries at most 16 categories"};
    tacet_label_file request{};
    request.fd = file;
    request.shadow_fd = shadow;
    request.label = to_kernel(label);
    return control(TACET_IOC_LABEL_SET, &request, "setting the label");
}

Result<void> DeviceLink::keep_label(int file, int shadow)
{
    tacet_label_file request{};
    request.fd = file;
    request.shadow_fd = shadow;
    request.flags = TACET_LABEL_KEEP;
    return control(TACET_IOC_LABEL_SET, &request, "arming the label");
}

Result<Label> DeviceLink::get_label(int file)
{
    tacet_label_file request{};
    request.fd = file;
    request.shadow_fd = -1;
    if (auto done = control(TACET_IOC_LABEL_GET, &request, "reading the label"); !done) {
        if (done.error().code == ErrorCode::NotLabelled)
            return Label{};
        return done.error();
    }
    return from_kernel(request.label);
}

Result<void> DeviceLink::answer(const CachedVerdict& verdict)
{
    tacet_verdict request = to_kernel(verdict);
    return control(TACET_IOC_VERDICT, &request, "answering a question");
}

Result<BootTime> DeviceLink::extend(QuestionId question, BootTime deadline)
{
    tacet_extension request{.question = question, .deadline = static_cast<std::uint64_t>(deadline.count()), .reserved = 0};
    if (auto done = control(TACET_IOC_EXTEND, &request, "extending a question"); !done)
        return done.error();
    return BootTime(static_cast<std::int64_t>(request.deadline));
}

Result<void> DeviceLink::set_policy(const KernelPolicy& policy)
{
    tacet_policy request = to_kernel(policy);
    return control(TACET_IOC_POLICY, &request, "setting the policy");
}

Result<void> DeviceLink::flush()
{
    return control<void>(TACET_IOC_FLUSH, nullptr, "forgetting cached verdicts");
}

Result<void> DeviceLink::set_guarded(const std::vector<CategoryId>& categories)
{
    if (categories.size() > guarded_max)
        return Error{ErrorCode::TooMany, "too many categories are guarded"};
    tacet_guard request{};
    request.count = static_cast<__u32>(categories.size());
    std::ranges::copy(categories, request.categories);
    return control(TACET_IOC_GUARD, &request, "guarding labelled files");
}

Result<void> DeviceLink::set_memory(const MemoryPolicy& policy)
{
    std::string paths;
    for (const std::string& program : policy.programs)
        paths.append(program).push_back('\0');
    if (paths.size() > TACET_MEMORY_PROGRAMS_MAX)
        return Error{ErrorCode::TooMany, "too many programs are chosen on this machine"};
    tacet_memory_policy request{};
    request.scope = to_kernel(policy.scope);
    request.spared = TACET_LAYERS_ALL;
    for (const contract::MemoryLayer layer : policy.layers)
        request.spared &= ~to_kernel(layer);
    request.programs = reinterpret_cast<std::uintptr_t>(paths.data());
    request.programs_size = static_cast<__u32>(paths.size());
    request.library = reinterpret_cast<std::uintptr_t>(heap_library_.c_str());
    return control(TACET_IOC_MEMORY, &request, "setting whose freed memory is cleared");
}

Result<std::uint64_t> DeviceLink::make_tag()
{
    tacet_stamp_tag tag{};
    if (auto made = control(TACET_IOC_STAMP, &tag, "making a tag"); !made)
        return made.error();
    return tag.tag;
}

void DeviceLink::count_stamps(const std::vector<std::uint64_t>& tags,
                              std::function<void(Result<std::vector<std::uint64_t>>)> done)
{
    if (state_ != ModuleState::Active)
        done(Error{ErrorCode::ModuleAbsent, "the kernel module is not active"});
    else
        stamps_.count(device_.get(), tags, std::move(done));
}

} // namespace tacet
