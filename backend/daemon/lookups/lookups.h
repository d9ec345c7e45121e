// SPDX-License-Identifier: GPL-3.0-or-later
// Asks file systems, /proc and the list of users, which may never answer. The event loop never waits for one.
#pragma once

#include <functional>
#include <memory>

#include "common/lookup_message.h"
#include "daemon/core/caller.h"
#include "daemon/core/question.h"
#include "daemon/loop/scheduler.h"

namespace tacet {

class Lookups {
public:
    virtual ~Lookups() = default;

    // done gets one reply for each item. A reply is empty if none came in time. The look-ups of an account wait for each other,
    // and for no other's.
    virtual void ask(uid_t account, LookupRequest request, std::function<void(std::vector<LookupReply>)> done) = 0;
    // This has no time limit. each gets the replies, and at the end "end", or an empty reply if the look broke off.
    [[nodiscard]] virtual std::unique_ptr<Pending> look_through(LookupRequest request, std::function<void(LookupReply)> each) = 0;
};

// This is the daemon's own account. No user has this number.
inline constexpr uid_t own_account = static_cast<uid_t>(-1);

using FoundAll = std::function<void(std::vector<Finding>)>;

// with_all_rights tells that the caller's rights do not limit the look-up.
void find_paths(Lookups& lookups, const Caller& caller, bool with_all_rights, const std::vector<std::string>& paths,
                FoundAll done);
void find_files(Lookups& lookups, uid_t account, const std::vector<SoughtFile>& files, FoundAll done);
void inspect(Lookups& lookups, uid_t account, const ProcessIdentity& process, std::function<void(ProcessFacts)> done);
void find_person(Lookups& lookups, uid_t uid, std::function<void(Result<Person>)> done);

} // namespace tacet
