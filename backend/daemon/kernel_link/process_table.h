// SPDX-License-Identifier: GPL-3.0-or-later
// Reads from /proc the facts that a question shows of its process.
#pragma once

#include <string>
#include <vector>

#include "daemon/core/question.h"

namespace tacet {

struct ProcessFacts {
    std::vector<std::string> command;
    std::string parent;
    std::string fingerprint; // that of the executable file; changes when the file is replaced or written
};

class ProcessTable {
public:
    virtual ~ProcessTable() = default;
    // All fields are empty if the process is gone, or if the pid is another process's.
    virtual ProcessFacts inspect(const ProcessIdentity& process) = 0;
    virtual bool is_alive(const ProcessIdentity& process) = 0;
};

class ProcProcessTable final : public ProcessTable {
public:
    ProcessFacts inspect(const ProcessIdentity& process) override;
    bool is_alive(const ProcessIdentity& process) override;
};

} // namespace tacet
