// SPDX-License-Identifier: GPL-3.0-or-later
// tacetd's side of a session's keeper: the requests that are under way.
#pragma once

#include <list>

#include "daemon/loop/event_loop.h"
#include "daemon/sessions/session_host.h"

namespace tacet {

class FileRequests {
public:
    static constexpr std::size_t pending_max = 16;

    // control is the session's channel, and stays the caller's.
    FileRequests(EventLoop& loop, int control) : loop_(loop), control_(control) {}
    // Answers the requests that are still under way with a failure.
    ~FileRequests();
    FileRequests(const FileRequests&) = delete;
    FileRequests& operator=(const FileRequests&) = delete;

    void files(Reply<std::vector<SessionChange>> reply);
    void keep(const std::string& path, const UniqueFd& file, Reply<void> reply);

private:
    struct Request {
        UniqueFd channel;
        std::unique_ptr<Pending> news;
        Reply<Message> reply;
    };

    // files come in addition to the channel for the answer.
    void send(const char* what, std::vector<int> files, Reply<Message> reply);
    void answer(std::list<Request>::iterator request);

    EventLoop& loop_;
    int control_;
    std::list<Request> requests_;
};

} // namespace tacet
