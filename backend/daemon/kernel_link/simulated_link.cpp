// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/kernel_link/simulated_link.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <string>

namespace tacet {
namespace {

FileIdentity identity_of(int file)
{
    struct stat status{};
    fstat(file, &status);
    return {status.st_dev, status.st_ino};
}

// Tests run without the module's rights. So the file behind an O_PATH descriptor is opened with the test's rights.
UniqueFd reopen_for_reading(int fd)
{
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    return UniqueFd(open(link.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

Error absent()
{
    return {ErrorCode::ModuleAbsent, "the kernel module is not active"};
}

} // namespace

KernelFeatures SimulatedLink::features()
{
    const bool active = state_ == ModuleState::Active;
    return {active, active, active, active, active};
}

Result<UniqueFd> SimulatedLink::open_file(int path)
{
    if (state_ != ModuleState::Active)
        return absent();
    UniqueFd fd = reopen_for_reading(path);
    if (!fd)
        return Error{ErrorCode::NotOwner, "cannot open"};
    return fd;
}

Result<void> SimulatedLink::set_label(int file, const Label& label, int shadow)
{
    if (state_ != ModuleState::Active)
        return absent();
    const FileIdentity identity = identity_of(file);
    if (label.empty()) {
        labels.erase(identity);
        armed.erase(identity);
        return {};
    }
    labels[identity] = label;
    return keep_label(file, shadow);
}

Result<void> SimulatedLink::keep_label(int file, int shadow)
{
    if (state_ != ModuleState::Active)
        return absent();
    const FileIdentity identity = identity_of(file);
    if (!labels.contains(identity))
        return Error{ErrorCode::NotLabelled, "no label"};
    armed.insert(identity);
    if (shadow >= 0)
        shadowed.insert(identity);
    return {};
}

Result<Label> SimulatedLink::get_label(int file)
{
    if (state_ != ModuleState::Active)
        return absent();
    const auto found = labels.find(identity_of(file));
    return found == labels.end() ? Label{} : found->second;
}

Result<void> SimulatedLink::answer(const CachedVerdict& verdict)
{
    if (state_ != ModuleState::Active)
        return absent();
    if (open.erase(verdict.question) == 0)
        return Error{ErrorCode::NoSuchQuestion, "not open"};
    verdicts.push_back(verdict);
    return {};
}

Result<void> SimulatedLink::set_policy(const KernelPolicy& new_policy)
{
    if (state_ != ModuleState::Active)
        return absent();
    policy = new_policy;
    return {};
}

Result<void> SimulatedLink::flush()
{
    ++flushes;
    return {};
}

Result<void> SimulatedLink::set_guarded(const std::vector<CategoryId>& categories)
{
    if (state_ != ModuleState::Active)
        return absent();
    if (refuses_guard)
        return Error{ErrorCode::Failed, "refused"};
    guarded = categories;
    return {};
}

void SimulatedLink::enter(ModuleState state)
{
    state_ = state;
    if (on_state)
        on_state(state);
}

void SimulatedLink::ask(const Question& question)
{
    open.insert(question.id);
    if (on_event)
        on_event(Asked{question});
}

} // namespace tacet
