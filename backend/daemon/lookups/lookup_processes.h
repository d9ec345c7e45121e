// SPDX-License-Identifier: GPL-3.0-or-later
// Has tacet-lookup make the look-ups, in a process for each account. So a look-up that hangs holds up its own user only.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "daemon/lookups/lookups.h"
#include "daemon/loop/event_loop.h"

namespace tacet {

class LookupAccount;

class LookupProcesses final : public Lookups {
public:
    LookupProcesses(EventLoop& loop, std::string program);
    ~LookupProcesses() override;

    void ask(uid_t account, LookupRequest request, std::function<void(std::vector<LookupReply>)> done) override;
    std::unique_ptr<Pending> look_through(LookupRequest request, std::function<void(LookupReply)> each) override;

private:
    EventLoop& loop_;
    std::string program_;
    std::map<uid_t, std::unique_ptr<LookupAccount>> accounts_;
};

} // namespace tacet
