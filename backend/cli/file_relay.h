// SPDX-License-Identifier: GPL-3.0-or-later
// Between the standard files of tacet run that are no terminals and the pipes that a private session has in their place. Each is
// served by a process of its own, which goes on when tacet run is killed.
#pragma once

#include <sys/types.h>

#include <vector>

#include "common/unique_fd.h"

namespace tacet::cli {

class FileRelay {
public:
    FileRelay() = default;
    FileRelay(const FileRelay&) = delete;
    FileRelay& operator=(const FileRelay&) = delete;
    // Input that nobody takes is left alone.
    ~FileRelay();

    // pipe: the writing end. Standard input goes there.
    void take_in(UniqueFd pipe);
    // pipe: the reading end. What comes there goes to the file, which is standard output or error.
    void give_out(UniqueFd pipe, int file);
    // Waits until all of the output has arrived. Returns at once when one of the signals of the signalfd comes.
    void finish(int signals);

private:
    struct Child {
        pid_t number;
        UniqueFd process; // a pidfd
    };

    // The process gets these as standard input and output, and nothing else.
    static Child start(int source, int sink);

    std::vector<Child> givers_;
    std::vector<Child> taker_; // at most one
};

} // namespace tacet::cli
