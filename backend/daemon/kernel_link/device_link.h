// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLink over /dev/tacet. It opens the device when it appears, reads its events, and makes its ioctls.
#pragma once

#include <vector>

#include "daemon/kernel_link/kernel_link.h"
#include "daemon/kernel_link/stamp_counter.h"
#include "daemon/loop/event_loop.h"

namespace tacet {

class DeviceLink final : public KernelLink {
public:
    // heap_library: the library that chosen programs load, which clears what they free for themselves.
    DeviceLink(EventLoop& loop, std::string heap_library);

    // Tries once now, and later whenever the device appears or may be free again.
    void start();

    ModuleState state() const override { return state_; }
    KernelFeatures features() override;
    bool has_events() override;
    Result<UniqueFd> open_file(int path) override;
    Result<void> set_label(int file, const Label& label, int shadow) override;
    Result<void> keep_label(int file, int shadow) override;
    Result<Label> get_label(int file) override;
    Result<void> answer(const CachedVerdict& verdict) override;
    Result<BootTime> extend(QuestionId question, BootTime deadline) override;
    Result<void> set_policy(const KernelPolicy& policy) override;
    Result<void> flush() override;
    Result<void> set_guarded(const std::vector<CategoryId>& categories) override;
    Result<void> set_memory(const MemoryPolicy& policy) override;
    Result<std::uint64_t> make_tag() override;
    void count_stamps(const std::vector<std::uint64_t>& tags,
                      std::function<void(Result<std::vector<std::uint64_t>>)> done) override;

private:
    void try_open();
    ModuleState open_device();
    void enter(ModuleState state);
    void retry_later();
    void read_events();
    void close_device();
    template <typename Argument>
    Result<void> control(unsigned long request, Argument* argument, const char* what);

    EventLoop& loop_;
    std::string heap_library_;
    SystemClock clock_;
    ModuleState state_ = ModuleState::Absent;
    UniqueFd device_;
    std::vector<char> buffer_;
    std::unique_ptr<Pending> readable_;
    std::unique_ptr<Pending> appears_;
    std::unique_ptr<Pending> retry_;
    StampCounter stamps_;
};

} // namespace tacet
