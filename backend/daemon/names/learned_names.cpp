// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/names/learned_names.h"

#include <algorithm>

namespace tacet {

LearnedNames::Address& LearnedNames::renew(const std::string& address)
{
    const auto known = by_text_.find(address);
    if (known != by_text_.end()) {
        addresses_.splice(addresses_.end(), addresses_, known->second);
        return addresses_.back();
    }
    if (addresses_.size() >= addresses_max) {
        by_text_.erase(addresses_.front().text);
        addresses_.pop_front();
    }
    addresses_.push_back({.text = address, .names = {}, .crowded_until = {}});
    by_text_[address] = std::prev(addresses_.end());
    return addresses_.back();
}

bool LearnedNames::learn(const LearnedName& learned)
{
    const BootTime now = clock_.boottime();
    Address& address = renew(learned.address);
    std::erase_if(address.names, [&](const Name& name) { return name.until <= now; });
    const BootTime lifetime = std::clamp<BootTime>(std::chrono::seconds(learned.seconds), lifetime_min, lifetime_max);
    Name name{learned.name, now + lifetime};
    const auto known = std::ranges::find(address.names, learned.name, &Name::text);
    const bool is_new = known == address.names.end();
    if (!is_new) {
        name.until = std::max(name.until, known->until);
        address.names.erase(known);
    }
    address.names.insert(address.names.begin(), std::move(name));
    if (address.names.size() > names_max) {
        address.crowded_until = std::max(address.crowded_until, address.names.back().until);
        address.names.pop_back();
    }
    return is_new;
}

LearnedNames::Found LearnedNames::find(const std::string& address) const
{
    Found found;
    const auto known = by_text_.find(address);
    if (known == by_text_.end())
        return found;
    const BootTime now = clock_.boottime();
    for (const Name& name : known->second->names) {
        if (name.until > now)
            found.names.push_back(name.text);
    }
    found.complete = known->second->crowded_until <= now;
    return found;
}

} // namespace tacet
