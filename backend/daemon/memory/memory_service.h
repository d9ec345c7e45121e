// SPDX-License-Identifier: GPL-3.0-or-later
// Whose memory is cleared when it is freed: it keeps the policy, tells it the kernel, and counts what is left.
#pragma once

#include "daemon/bus/gate.h"
#include "daemon/kernel_link/kernel_link.h"
#include "daemon/memory/memory_store.h"

namespace tacet {

class MemoryService final {
public:
    struct Surroundings {
        KernelLink& kernel;
        Gate& gate;
        Signals& signals;
    };
    static constexpr std::size_t programs_max = 64; // of one account
    static constexpr std::size_t bytes_max = 4096;  // of their paths; the kernel takes those of 16 accounts
    static constexpr std::uint32_t tags_max = 16;   // of one call

    // stamps: a program that is chosen in any case; empty: none.
    MemoryService(Database& database, std::string stamps, Surroundings surroundings);

    // Tells the kernel the policy.
    Result<void> apply();
    // Returns the policy that the kernel has.
    const MemoryPolicy& in_force() const { return in_force_; }
    // The module is gone, and its policy with it.
    void drop() { in_force_ = {}; }

    // Replies with the caller's own programs.
    void policy(const Caller& caller, Reply<MemoryPolicy> reply);
    void set_scope(const Caller& caller, contract::MemoryScope scope, Reply<void> reply);
    void set_layer(const Caller& caller, contract::MemoryLayer layer, bool cleared, Reply<void> reply);
    void add_program(const Caller& caller, const std::string& path, Reply<void> reply);
    void remove_program(const Caller& caller, const std::string& path, Reply<void> reply);
    void make_tags(std::uint32_t count, Reply<std::vector<std::uint64_t>> reply);
    void count_stamps(const std::vector<std::uint64_t>& tags, Reply<std::vector<std::uint64_t>> reply);

private:
    // Returns what is stored, with the programs of everybody.
    Result<MemoryPolicy> stored();
    // Makes the change, and keeps it if the kernel takes it.
    Result<void> change(const std::function<Result<void>()>& change);
    Result<void> store_and_apply(const std::function<Result<void>()>& change);
    Result<void> add(uid_t owner, const std::string& path);

    Database& database_;
    MemoryStore store_;
    std::string stamps_;
    Surroundings around_;
    MemoryPolicy in_force_;
};

} // namespace tacet
