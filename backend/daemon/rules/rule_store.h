// SPDX-License-Identifier: GPL-3.0-or-later
// Rules that outlive the daemon, and the fingerprint that an executable had at its last answer.
#pragma once

#include "daemon/core/rule.h"
#include "daemon/store/database.h"

namespace tacet {

class RuleStore {
public:
    explicit RuleStore(Database& database) : database_(database) {}

    std::vector<Rule> load();
    Result<RuleId> add(const Rule& rule);
    Result<void> remove(RuleId id);
    Result<void> count_hits(RuleId id, std::uint64_t count);

    // Returns nothing if there never was an answer for the executable.
    std::string fingerprint(uid_t owner, const std::string& executable);
    Result<void> set_fingerprint(uid_t owner, const std::string& executable, const std::string& fingerprint);

private:
    Database& database_;
};

} // namespace tacet
