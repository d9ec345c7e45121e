// SPDX-License-Identifier: GPL-3.0-or-later
// Private sessions: who may start them, which run, and their end.
#pragma once

#include <list>
#include <map>
#include <string_view>

#include "common/session_options.h"
#include "common/unique_fd.h"
#include "daemon/bus/gate.h"
#include "daemon/core/account.h"
#include "daemon/core/private_session.h"
#include "daemon/lookups/lookups.h"
#include "daemon/sessions/boxes.h"
#include "daemon/sessions/session_host.h"

namespace tacet {

struct SessionStart {
    std::vector<std::string> command;
    std::vector<std::string> environment;
    std::string directory;
    SessionFiles files;
    SessionOptions options;
};

// How many sessions one user may have at a time, from 1 to what the kernel module has room for.
Result<std::size_t> parse_sessions_max(std::string_view text);

class SessionService final {
public:
    struct Surroundings {
        SessionHost& host;
        Boxes& boxes;
        Lookups& lookups;
        Gate& gate;
        Signals& signals;
        const Clock& clock;
        Scheduler& scheduler;
    };

    // per_owner_max: so many sessions of one user may run at a time.
    SessionService(Surroundings surroundings, std::size_t per_owner_max) : around_(surroundings), per_owner_max_(per_owner_max) {}

    // Takes over the sessions of an earlier tacetd. One is told to people once it has said whose it is.
    void take_over();
    void start(const Caller& caller, SessionStart start, Reply<SessionId> reply);
    void list(const Caller& caller, Reply<std::vector<PrivateSession>> reply);
    void end(const Caller& caller, SessionId id, Reply<void> reply);
    void end_all(const Caller& caller, Reply<void> reply);
    void files(const Caller& caller, SessionId id, Reply<std::vector<SessionChange>> reply);
    void keep(const Caller& caller, SessionId id, const std::string& path, UniqueFd file, Reply<void> reply);
    void list_boxes(const Caller& caller, Reply<std::vector<Box>> reply);
    // For good. A box that a session uses is refused.
    void remove_box(const Caller& caller, const std::string& name, Reply<void> reply);
    // While a person's app runs, the place of their next session is kept ready. There is nothing of theirs in it.
    void on_person_arrived(uid_t person);
    void on_person_left(uid_t person) { spares_.erase(person); }

private:
    struct Session {
        PrivateSession facts;
        std::unique_ptr<RunningSession> running;
        std::list<Reply<void>> waiting; // for its end
        std::unique_ptr<Pending> overdue;
    };

    struct Spare {
        SessionId id = 0;
        std::unique_ptr<SessionPlace> place; // empty after it was used
        std::optional<Person> person;        // whom it is for, looked up when the place was made
        std::unique_ptr<Pending> renewal;
    };

    // Whom the person's spare place is for, if there is one.
    std::optional<Person> known_person(uid_t uid) const;
    SessionId draw_id() const;
    // The spare one if there is one that serves, otherwise a new one. Sets the request's id.
    Result<std::unique_ptr<SessionPlace>> take_place(SessionRequest& request);
    void renew_spare(uid_t person);
    // Whether this may be one more box. Only tacet-session knows whether it is in use.
    Result<void> check_box(const Caller& caller, const SessionOptions& options) const;
    // The session of this owner that uses the box; 0: none.
    SessionId user_of(uid_t owner, const std::string& box) const;
    Result<SessionId> launch(const Caller& caller, const Person& person, SessionStart start);
    // The caller's own, with its file tree made; otherwise an error.
    Result<RunningSession*> find_usable(const Caller& caller, SessionId id);
    void begin_end(SessionId id, Reply<void> reply);
    SessionEvents events_of(SessionId id);
    void on_message(SessionId id, const std::string& text);
    void on_described(SessionId id, const SessionRequest& request);
    void on_gone(SessionId id);

    Surroundings around_;
    std::size_t per_owner_max_;
    std::map<SessionId, Session> sessions_;
    std::map<uid_t, Spare> spares_; // of the persons whose app runs
    std::unique_ptr<Pending> sweep_;
    std::list<Session> ended_;
};

} // namespace tacet
