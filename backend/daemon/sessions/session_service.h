// SPDX-License-Identifier: GPL-3.0-or-later
// Private sessions: who may start them, which run, and their end.
#pragma once

#include <list>
#include <map>

#include "daemon/bus/handlers.h"
#include "daemon/bus/permissions.h"
#include "daemon/loop/scheduler.h"
#include "daemon/sessions/session_host.h"

namespace tacet {

class SessionService final : public SessionsHandler {
public:
    static constexpr std::size_t per_owner_max = 16;

    struct Surroundings {
        SessionHost& host;
        Gate& gate;
        Signals& signals;
        const Clock& clock;
        Scheduler& scheduler;
    };

    explicit SessionService(Surroundings surroundings) : around_(surroundings) {}

    void start(const Caller& caller, SessionStart start, Reply<SessionId> reply) override;
    void list(const Caller& caller, Reply<std::vector<PrivateSession>> reply) override;
    void end(const Caller& caller, SessionId id, Reply<void> reply) override;
    void end_all(const Caller& caller, Reply<void> reply) override;
    void files(const Caller& caller, SessionId id, Reply<std::vector<SessionChange>> reply) override;
    void keep(const Caller& caller, SessionId id, const std::string& path, UniqueFd file, Reply<void> reply) override;

private:
    struct Session {
        PrivateSession facts;
        std::unique_ptr<RunningSession> running;
        std::list<Reply<void>> waiting; // for its end
        std::unique_ptr<Pending> overdue;
    };

    Result<SessionId> launch(const Caller& caller, SessionStart start);
    // The caller's own, with its file tree made; otherwise an error.
    Result<RunningSession*> find_usable(const Caller& caller, SessionId id);
    void begin_end(SessionId id, Reply<void> reply);
    void on_message(SessionId id, const std::string& text);
    void on_gone(SessionId id);

    Surroundings around_;
    std::map<SessionId, Session> sessions_;
    std::unique_ptr<Pending> sweep_;
    std::list<Session> ended_;
};

} // namespace tacet
