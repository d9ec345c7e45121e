// SPDX-License-Identifier: GPL-3.0-or-later
// A rule: a standing answer. This tells which questions it matches, which of several rules wins, and when a rule ends.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/result.h"
#include "contract/codes.h"
#include "daemon/core/question.h"
#include "daemon/core/verdict.h"

namespace tacet {

using RuleId = std::uint64_t;

// The kinds are in ascending order of how specific they are.
using contract::SubjectKind;

struct RuleScope {
    SubjectKind subject_kind = SubjectKind::Any;
    std::string subject;    // path or category; empty for Any
    std::string executable; // empty: any
    std::string host;       // as the sink wants it; empty: any of this sink
    std::uint16_t port = 0; // 0: any; of Sink::Network only
    // A rule is about one kind of destination. Network: host is an address, a name or "*.domain". File and Device: it is a
    // path, also that of a folder. Other and Marked (the guarded file itself would change) have no host.
    Sink sink = Sink::Network;

    bool operator==(const RuleScope&) const = default;
};

struct RuleLifetime {
    Duration duration = Duration::Always;
    std::string boot_id;     // the boot in which it was made; decides for all but Always
    BootTime expires{};      // for Minutes15 and Hour
    ProcessIdentity process; // for Process
};

struct Rule {
    RuleId id = 0;
    uid_t owner = 0; // root's rules hold for everybody
    Verdict verdict = Verdict::Block;
    RuleScope scope;
    RuleLifetime lifetime;
    UnixTime created = 0;
    std::uint64_t hits = 0;
};

Result<SubjectKind> parse_subject_kind(std::string_view text);
// Normalizes addresses and the case of names. Returns InvalidScope if a field cannot be normalized.
Result<RuleScope> validate(RuleScope scope);
// Tells whether there can be such an answer. A change has no scrubbed copy. Returns InvalidVerdict.
Result<void> validate(Verdict verdict, Sink sink);

RuleLifetime make_lifetime(Duration duration, const Clock& clock, const ProcessIdentity& process);
bool has_ended(const RuleLifetime& lifetime, const Clock& clock);
// Returns Unix time. 0 means never, or at the end of the boot or process.
UnixTime estimate_end(const RuleLifetime& lifetime, const Clock& clock);

// Tells whether the scope covers the question. If an address has several names, a name covers it only where the verdict is
// safe for all of them.
bool matches(const Rule& rule, const Question& question);
// Tells whether the scope is about the destination of the question, and not wider than it where that is a file or a device.
bool is_about_destination(const RuleScope& scope, const Question& question);
// Tells whether left decides before right.
bool precedes(const Rule& left, const Rule& right);
// Returns the rule that decides, or null if the person has to be asked. Ended rules are passed over.
const Rule* find_deciding(std::span<const Rule> rules, const Question& question, const Clock& clock);

// A temporary permission that names no file or no program reaches further than the prompt that it answers.
bool is_broad_permission(Verdict verdict, const RuleScope& scope);

} // namespace tacet
