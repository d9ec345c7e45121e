// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's methods in the daemon's own types: bus/ translates, service/ implements.
#pragma once

#include <array>
#include <optional>
#include <tuple>
#include <vector>

#include "common/session_changes.h"
#include "common/unique_fd.h"
#include "daemon/core/entry.h"
#include "daemon/core/ports.h"
#include "daemon/core/private_session.h"

namespace tacet {

struct PathFailure {
    std::string path;
    Error error;
};

struct FilePage {
    std::vector<LabelledFile> files;
    std::uint32_t total = 0;
};

class LabelsHandler {
public:
    virtual ~LabelsHandler() = default;
    virtual void add(const Caller& caller, std::vector<std::string> paths, std::string category,
                     Reply<std::vector<PathFailure>> reply) = 0;
    virtual void remove(const Caller& caller, std::vector<std::string> paths, Reply<std::vector<PathFailure>> reply) = 0;
    virtual void show(const Caller& caller, const std::string& path, Reply<LabelledFile> reply) = 0;
    virtual void list(const Caller& caller, std::uint32_t offset, std::uint32_t limit, Reply<FilePage> reply) = 0;
    virtual void guard(const Caller& caller, const std::vector<std::string>& kinds, Reply<void> reply) = 0;
    virtual void guarded(const Caller& caller, Reply<std::vector<std::string>> reply) = 0;
};

// What the client gave; what is missing comes from the question, or means "any".
struct ScopeRequest {
    std::optional<SubjectKind> subject_kind;
    std::optional<std::string> subject;
    std::optional<std::string> executable;
    std::optional<std::string> host;
    std::optional<std::uint16_t> port;
    std::optional<bool> changes;
};

struct AnswerRequest {
    QuestionId id = 0;
    Verdict verdict = Verdict::Block;
    Duration duration = Duration::Once;
    ScopeRequest scope;
};

struct Answered {
    RuleId rule = 0;
    std::uint32_t resolved = 0;
};

class BreachesHandler {
public:
    virtual ~BreachesHandler() = default;
    virtual void list(const Caller& caller, Reply<std::vector<Question>> reply) = 0;
    virtual void answer(const Caller& caller, AnswerRequest request, Reply<Answered> reply) = 0;
    virtual void register_agent(const Caller& caller, const std::string& path, Reply<void> reply) = 0;
    virtual void unregister_agent(const Caller& caller, Reply<void> reply) = 0;
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

class RulesHandler {
public:
    virtual ~RulesHandler() = default;
    virtual void list(const Caller& caller, Reply<std::vector<ListedRule>> reply) = 0;
    virtual void add(const Caller& caller, RuleRequest request, Reply<RuleId> reply) = 0;
    virtual void remove(const Caller& caller, RuleId id, Reply<void> reply) = 0;
};

class LogHandler {
public:
    virtual ~LogHandler() = default;
    virtual void list(const Caller& caller, std::uint64_t after, std::uint32_t limit, Reply<std::vector<LogEntry>> reply) = 0;
};

struct Protection {
    std::string name;
    bool enforced = false;
    std::string by;
    std::string detail;
};

class ProtectionHandler {
public:
    virtual ~ProtectionHandler() = default;
    virtual std::string module_state() = 0;
    virtual UnixTime paused_until() = 0;
    virtual void list(Reply<std::vector<Protection>> reply) = 0;
    virtual void pause(const Caller& caller, std::uint32_t minutes, Reply<UnixTime> reply) = 0;
    virtual void resume(const Caller& caller, Reply<void> reply) = 0;
};

struct SessionStart {
    std::vector<std::string> command;
    std::vector<std::string> environment;
    std::string directory;
    // Standard input, output, error, and the client's channel.
    std::array<UniqueFd, 5> files; // the last one is not always there
    std::string name;              // shown instead of the program's
    StoreChoice store = StoreChoice::Auto;
    bool keep = false;
    std::uint64_t size = 0;
    bool network = true;
    bool audio = false;
    std::string display;
    std::string cookie;
};

class SessionsHandler {
public:
    virtual ~SessionsHandler() = default;
    virtual void start(const Caller& caller, SessionStart start, Reply<SessionId> reply) = 0;
    virtual void list(const Caller& caller, Reply<std::vector<PrivateSession>> reply) = 0;
    virtual void end(const Caller& caller, SessionId id, Reply<void> reply) = 0;
    virtual void end_all(const Caller& caller, Reply<void> reply) = 0;
    virtual void files(const Caller& caller, SessionId id, Reply<std::vector<SessionChange>> reply) = 0;
    virtual void keep(const Caller& caller, SessionId id, const std::string& path, UniqueFd file, Reply<void> reply) = 0;
};

} // namespace tacet
