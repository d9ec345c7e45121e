// SPDX-License-Identifier: GPL-3.0-or-later
// Tells whether a process still lives.
#pragma once

#include "daemon/core/question.h"

namespace tacet {

class ProcessTable {
public:
    virtual ~ProcessTable() = default;
    virtual bool is_alive(const ProcessIdentity& process) = 0;
};

class ProcProcessTable final : public ProcessTable {
public:
    bool is_alive(const ProcessIdentity& process) override;
};

} // namespace tacet
