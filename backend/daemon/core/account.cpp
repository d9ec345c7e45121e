// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/core/account.h"

#include "daemon/core/question.h"

namespace tacet {

uid_t account_of(uid_t user)
{
    if (is_person(user) || user == 0)
        return user;
    // The upper range is that of the users that the service manager makes for a while.
    const bool is_service = user < 1000 || (user >= 61184 && user <= 65519);
    return is_service ? system_account : others_account;
}

Result<std::shared_ptr<Accounts::Charge>> Accounts::charge(uid_t user, Resource resource, std::uint64_t amount)
{
    user = account_of(user);
    const std::uint64_t before = used(user, resource);
    if (amount > limit_of(resource) || before > limit_of(resource) - amount)
        return Error{ErrorCode::TooMany, "too many requests of yours are being worked on"};
    used_[{user, resource}] = before + amount;
    return std::make_shared<Charge>(*this, user, resource, amount);
}

std::uint64_t Accounts::used(uid_t user, Resource resource) const
{
    const auto found = used_.find({account_of(user), resource});
    return found == used_.end() ? 0 : found->second;
}

void Accounts::give_back(const std::pair<uid_t, Resource>& place, std::uint64_t amount)
{
    const auto found = used_.find(place);
    found->second -= amount;
    if (found->second == 0)
        used_.erase(found);
}

} // namespace tacet
