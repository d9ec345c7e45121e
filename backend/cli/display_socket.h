// SPDX-License-Identifier: GPL-3.0-or-later
// `tacet session paste` and `copy` reach the `tacet run` that has the session's display by a socket in the person's runtime
// directory. That directory is closed to other people, and a private session has one of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "common/channel.h"

namespace tacet::cli {

class DisplaySocket {
public:
    // The person's requests; both may throw std::runtime_error, which is told.
    struct Actions {
        std::function<void(std::string text)> paste;
        std::function<std::string()> copy;
    };

    // Throws std::runtime_error.
    DisplaySocket(std::uint64_t session, Actions actions);
    ~DisplaySocket();
    DisplaySocket(const DisplaySocket&) = delete;
    DisplaySocket& operator=(const DisplaySocket&) = delete;

    int file() const { return listener_.get(); }
    // Answers those that have come. To be called when the file is readable.
    void handle_requests();

private:
    void answer(int client);

    std::string path_;
    Actions actions_;
    UniqueFd listener_;
};

// The other side. Throws std::runtime_error; NoSuchDisplay when there is no such session with a display of this person's.
struct NoSuchDisplay : std::runtime_error {
    using std::runtime_error::runtime_error;
};
void ask_paste(std::uint64_t session, const std::string& text);
std::string ask_copy(std::uint64_t session);

} // namespace tacet::cli
