// SPDX-License-Identifier: GPL-3.0-or-later
// Limits what one user may use up. Each user has an account of his own, so that nobody waits, or goes without, because of
// another.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "common/result.h"

namespace tacet {

enum class Resource : std::uint8_t {
    Calls,      // calls that wait for their turn, or for their reply
    CallBytes,  // the bytes of these
    Dialogs,    // checks by polkit, each of which may ask for a password
    LookUps,    // items that wait for tacet-lookup
    Agents,     // apps that show questions
    Questions,  // open questions
    Sessions,   // private sessions
    Rules,      // rules in the store
    LogRows,    // rows in the store
    Labels,     // files that people have labelled
    Derived,    // derived files in the index; more are not taken in
    ShadowBytes // of scrubbed copies; without one the kernel scrubs
};

constexpr std::uint64_t limit_of(Resource resource)
{
    switch (resource) {
    case Resource::Calls:
        return 64;
    case Resource::CallBytes:
        return 16U << 20;
    case Resource::Dialogs:
    case Resource::Sessions:
        return 16;
    case Resource::LookUps:
        return 10'000;
    case Resource::Agents:
        return 8;
    case Resource::Questions:
        return 256;
    case Resource::Rules:
        return 1000;
    case Resource::LogRows:
        return 20'000;
    case Resource::Labels:
    case Resource::Derived:
        return 100'000;
    case Resource::ShadowBytes:
        return 512U << 20;
    }
    return 0;
}

// Returns the user whose account counts. A person has one, and so has root. Services have one together. Another one is that of
// the many numbers that people's containers may use.
uid_t account_of(uid_t user);
inline constexpr uid_t system_account = 1;
inline constexpr uid_t others_account = 65534;

// Accounts counts the things that are held for a while. Those that are kept in the store are counted there.
class Accounts {
public:
    // A Charge is held until it is destroyed. The accounts outlive it.
    class Charge {
    public:
        Charge() = default;
        Charge(Accounts& accounts, uid_t user, Resource resource, std::uint64_t amount)
            : accounts_(&accounts), place_(user, resource), amount_(amount)
        {
        }
        Charge(Charge&& other) noexcept
            : accounts_(std::exchange(other.accounts_, nullptr)), place_(std::move(other.place_)), amount_(other.amount_)
        {
        }
        Charge& operator=(Charge&& other) noexcept
        {
            std::swap(accounts_, other.accounts_);
            std::swap(place_, other.place_);
            std::swap(amount_, other.amount_);
            return *this;
        }
        ~Charge()
        {
            if (accounts_ != nullptr)
                accounts_->give_back(place_, amount_);
        }

    private:
        Accounts* accounts_ = nullptr;
        std::pair<uid_t, Resource> place_;
        std::uint64_t amount_ = 0;
    };

    // Fails with TooMany if the account has no room.
    Result<std::shared_ptr<Charge>> charge(uid_t user, Resource resource, std::uint64_t amount = 1);
    std::uint64_t used(uid_t user, Resource resource) const;

private:
    void give_back(const std::pair<uid_t, Resource>& place, std::uint64_t amount);

    std::map<std::pair<uid_t, Resource>, std::uint64_t> used_;
};

} // namespace tacet
