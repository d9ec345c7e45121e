// SPDX-License-Identifier: GPL-3.0-or-later
// Private sessions: who may start them, which run, and their end.
#pragma once

#include <array>
#include <list>
#include <map>

#include "common/session_options.h"
#include "common/unique_fd.h"
#include "daemon/bus/gate.h"
#include "daemon/core/account.h"
#include "daemon/core/private_session.h"
#include "daemon/lookups/lookups.h"
#include "daemon/sessions/session_host.h"

namespace tacet {

struct SessionStart {
    std::vector<std::string> command;
    std::vector<std::string> environment;
    std::string directory;
    // These are standard input, output, error, and the client's channel.
    std::array<UniqueFd, 5> files; // the last one is optional
    SessionOptions options;
};

class SessionService final {
public:
    static constexpr std::size_t per_owner_max = limit_of(Resource::Sessions);

    struct Surroundings {
        SessionHost& host;
        Lookups& lookups;
        Gate& gate;
        Signals& signals;
        const Clock& clock;
        Scheduler& scheduler;
    };

    explicit SessionService(Surroundings surroundings) : around_(surroundings) {}

    void start(const Caller& caller, SessionStart start, Reply<SessionId> reply);
    void list(const Caller& caller, Reply<std::vector<PrivateSession>> reply);
    void end(const Caller& caller, SessionId id, Reply<void> reply);
    void end_all(const Caller& caller, Reply<void> reply);
    void files(const Caller& caller, SessionId id, Reply<std::vector<SessionChange>> reply);
    void keep(const Caller& caller, SessionId id, const std::string& path, UniqueFd file, Reply<void> reply);

private:
    struct Session {
        PrivateSession facts;
        std::unique_ptr<RunningSession> running;
        std::list<Reply<void>> waiting; // for its end
        std::unique_ptr<Pending> overdue;
    };

    Result<SessionId> launch(const Caller& caller, const Person& person, SessionStart start);
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
