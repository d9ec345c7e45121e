// SPDX-License-Identifier: GPL-3.0-or-later
// A private session's way to the person's SSH agent. A process outside of the session passes on what ssh_agent_filter.h allows.
#pragma once

#include <string>

namespace tacet::cli {

class SshAgentRelay {
public:
    // Makes a socket, and starts the process that serves it. Throws std::runtime_error when no agent can be reached. The process
    // ends with this one, however that ends, and takes the socket away.
    SshAgentRelay();

    // The socket's path, below the person's runtime directory.
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace tacet::cli
