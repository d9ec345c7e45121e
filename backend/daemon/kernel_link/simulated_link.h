// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLink without a kernel, for tests. It keeps labels on the files and in memory, records verdicts, and raises the events
// that a test gives it.
#pragma once

#include <map>
#include <set>

#include "daemon/kernel_link/kernel_link.h"

namespace tacet {

class SimulatedLink final : public KernelLink {
public:
    ModuleState state() const override { return state_; }
    KernelFeatures features() override;
    bool has_events() override { return false; }
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

    void enter(ModuleState state);
    void ask(const Question& question);
    // Labels a file as the module does when a program writes derived data to it.
    void put_label(const std::string& path, const Label& label);

    ModuleState state_ = ModuleState::Active;
    std::map<FileIdentity, Label> labels;
    std::set<FileIdentity> armed;
    std::set<FileIdentity> shadowed;
    std::set<QuestionId> open;
    std::vector<CachedVerdict> verdicts;
    std::map<QuestionId, BootTime> extended;
    KernelPolicy policy;
    unsigned flushes = 0;
    std::vector<CategoryId> guarded;
    bool refuses_guard = false;
    MemoryPolicy memory;
    bool refuses_memory = false;
    std::map<std::uint64_t, std::uint64_t> stamps; // by tag
    bool refuses_files = false;                    // plays a disk that does not answer

private:
    Label label_of(int file) const;
};

} // namespace tacet
