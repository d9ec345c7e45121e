// SPDX-License-Identifier: GPL-3.0-or-later
// The place where private sessions run; SystemdHost is the real one.
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "common/channel.h"
#include "common/session_changes.h"
#include "common/session_request.h"
#include "daemon/core/ports.h"

namespace tacet {

// These are standard input, output, error, the client's channel, and the process (a pidfd) of the display server and the pipe
// with the box's passphrase, if there are any.
using SessionFiles = std::array<UniqueFd, 6>;

struct SessionEvents {
    // "running", "used BYTES", "full" and "room" (its store), "exit N", "waiting", "failed WHY"
    std::function<void(const std::string& text)> on_message;
    // A session that an earlier tacetd has started: what is told of it to people.
    std::function<void(const SessionRequest& request)> on_described;
    // The session is over, and nothing of it is left. This may destroy the RunningSession.
    std::function<void()> on_gone;
};

struct SessionMemory {
    std::uint64_t memory = 0; // bytes
    std::uint64_t swap = 0;
};

// Destroying a RunningSession ends the session, unless the host keeps it for the next tacetd.
class RunningSession {
public:
    virtual ~RunningSession() = default;
    // From now on the host keeps it for nobody.
    virtual void end() = 0;
    virtual SessionMemory memory() const = 0;
    // Replies with the session's changes so far, sorted by path.
    virtual void files(Reply<std::vector<SessionChange>> reply) = 0;
    // Copies one regular file of the session to an open file.
    virtual void keep(const std::string& path, UniqueFd file, Reply<void> reply) = 0;
};

// The place of a session that has not begun: a process of root's that waits for the request. It ends when this is destroyed
// before that.
class SessionPlace {
public:
    virtual ~SessionPlace() = default;
    // False when its process has ended.
    virtual bool is_waiting() const = 0;
    // Begins the session, at most once. The request's id, person and store are those that the place was made for.
    virtual Result<std::unique_ptr<RunningSession>> begin(const SessionRequest& request, SessionFiles files,
                                                          SessionEvents events) = 0;
};

class SessionHost {
public:
    virtual ~SessionHost() = default;
    // Returns the bytes that could be used without swapping.
    virtual std::uint64_t memory_available() const = 0;
    virtual Result<std::unique_ptr<SessionPlace>> make_place(std::uint64_t id, uid_t person, bool on_disk) = 0;
    // Returns the sessions that an earlier tacetd has started. Each is to be adopted once.
    virtual std::vector<std::uint64_t> kept() const = 0;
    virtual std::unique_ptr<RunningSession> adopt(std::uint64_t id, SessionEvents events) = 0;
};

} // namespace tacet
