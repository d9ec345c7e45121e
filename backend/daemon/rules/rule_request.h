// SPDX-License-Identifier: GPL-3.0-or-later
// The request of a client for a rule, or for an answer from which a rule is made.
#pragma once

#include <optional>
#include <string>

#include "daemon/core/rule.h"

namespace tacet {

// The fields that the client gave; a missing one comes from the question, or means "any".
struct ScopeRequest {
    std::optional<SubjectKind> subject_kind;
    std::optional<std::string> subject;
    std::optional<std::string> executable;
    std::optional<std::string> host;
    std::optional<std::uint16_t> port;
    std::optional<Sink> sink;
};

struct RuleRequest {
    Verdict verdict = Verdict::Block;
    Duration duration = Duration::Always;
    ScopeRequest scope;
};

struct ListedRule {
    Rule rule;
    UnixTime expires = 0;
};

} // namespace tacet
