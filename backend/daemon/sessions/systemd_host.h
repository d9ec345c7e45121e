// SPDX-License-Identifier: GPL-3.0-or-later
// Runs tacet-session as a transient unit, as tacetd's own sandbox must not be the session's.
#pragma once

#include <sdbus-c++/sdbus-c++.h>

#include <map>

#include "daemon/loop/event_loop.h"
#include "daemon/sessions/session_host.h"

namespace tacet {

class SystemdHost final : public SessionHost {
public:
    SystemdHost(EventLoop& loop, sdbus::IConnection& connection, std::string program);
    std::uint64_t memory_available() const override;
    Result<std::unique_ptr<SessionPlace>> make_place(std::uint64_t id, uid_t person, bool on_disk) override;
    std::vector<std::uint64_t> kept() const override;
    std::unique_ptr<RunningSession> adopt(std::uint64_t id, SessionEvents events) override;

private:
    EventLoop& loop_;
    std::unique_ptr<sdbus::IProxy> systemd_;
    std::string program_;
    std::map<std::uint64_t, UniqueFd> kept_; // the channels of sessions that are not adopted yet
};

} // namespace tacet
