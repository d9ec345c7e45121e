// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/kernel_link/simulated_link.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <cstring>
#include <string>
#include <vector>

#include <tacet.h>

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

// Writes the attribute as the module keeps it, if the test has the right to.
void write_attribute(int file, const Label& label)
{
    std::vector<char> bytes(sizeof(tacet_label_xattr) + label.categories.size() * sizeof(CategoryId));
    const tacet_label_xattr head{TACET_LABEL_XATTR_VERSION, static_cast<__u32>(label.categories.size())};
    std::memcpy(bytes.data(), &head, sizeof(head));
    std::memcpy(bytes.data() + sizeof(head), label.categories.data(), bytes.size() - sizeof(head));
    if (label.empty())
        fremovexattr(file, TACET_LABEL_XATTR);
    else
        fsetxattr(file, TACET_LABEL_XATTR, bytes.data(), bytes.size(), 0);
}

Label read_attribute(int file)
{
    std::vector<char> bytes(sizeof(tacet_label_xattr) + label_max * sizeof(CategoryId));
    const ssize_t size = fgetxattr(file, TACET_LABEL_XATTR, bytes.data(), bytes.size());
    if (size <= static_cast<ssize_t>(sizeof(tacet_label_xattr)))
        return {};
    std::vector<CategoryId> categories((static_cast<std::size_t>(size) - sizeof(tacet_label_xattr)) / sizeof(CategoryId));
    std::memcpy(categories.data(), bytes.data() + sizeof(tacet_label_xattr), categories.size() * sizeof(CategoryId));
    return make_label(std::move(categories));
}

Error absent()
{
    return {ErrorCode::ModuleAbsent, "the kernel module is not active"};
}

} // namespace

KernelFeatures SimulatedLink::features()
{
    const bool active = state_ == ModuleState::Active;
    return {active, active, active, active, active, active};
}

Result<UniqueFd> SimulatedLink::open_file(int path)
{
    if (state_ != ModuleState::Active)
        return absent();
    UniqueFd fd = refuses_files ? UniqueFd() : reopen_for_reading(path);
    if (!fd)
        return Error{ErrorCode::NotOwner, "cannot open"};
    return fd;
}

Result<void> SimulatedLink::set_label(int file, const Label& label, int shadow)
{
    if (state_ != ModuleState::Active)
        return absent();
    const FileIdentity identity = identity_of(file);
    write_attribute(file, label);
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
    if (label_of(file).empty())
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
    return label_of(file);
}

Label SimulatedLink::label_of(int file) const
{
    const auto found = labels.find(identity_of(file));
    return found == labels.end() ? read_attribute(file) : found->second;
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

Result<BootTime> SimulatedLink::extend(QuestionId question, BootTime deadline)
{
    if (state_ != ModuleState::Active)
        return absent();
    if (!open.contains(question))
        return Error{ErrorCode::NoSuchQuestion, "not open"};
    return extended[question] = deadline;
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

Result<void> SimulatedLink::set_memory(const MemoryPolicy& new_policy)
{
    if (state_ != ModuleState::Active)
        return absent();
    if (refuses_memory)
        return Error{ErrorCode::Failed, "refused"};
    memory = new_policy;
    return {};
}

Result<std::uint64_t> SimulatedLink::make_tag()
{
    if (state_ != ModuleState::Active)
        return absent();
    const std::uint64_t tag = stamps.size() + 1;
    stamps[tag] = 0;
    return tag;
}

void SimulatedLink::count_stamps(const std::vector<std::uint64_t>& tags,
                                 std::function<void(Result<std::vector<std::uint64_t>>)> done)
{
    std::vector<std::uint64_t> counts;
    for (const std::uint64_t tag : tags) {
        const auto found = stamps.find(tag);
        if (found == stamps.end())
            return done(Error{ErrorCode::NotFound, "unknown tag"});
        counts.push_back(found->second);
    }
    done(std::move(counts));
}

void SimulatedLink::enter(ModuleState state)
{
    state_ = state;
    if (on_state)
        on_state(state);
}

void SimulatedLink::put_label(const std::string& path, const Label& label)
{
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    labels[identity_of(file.get())] = label;
    armed.insert(identity_of(file.get()));
    write_attribute(file.get(), label);
}

void SimulatedLink::ask(const Question& question)
{
    open.insert(question.id);
    if (on_event)
        on_event(Asked{question});
}

} // namespace tacet
