// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/rules/rule_dictionary.h"

namespace tacet {
namespace {

Result<ScopeRequest> take_scope(Dictionary& dictionary)
{
    ScopeRequest scope;
    std::optional<std::string> subject_kind;
    std::optional<std::string> sink;
    for (const auto& taken : {take(dictionary, "subject_kind", subject_kind), take(dictionary, "subject", scope.subject),
                              take(dictionary, "executable", scope.executable), take(dictionary, "host", scope.host),
                              take(dictionary, "port", scope.port), take(dictionary, "sink", sink)}) {
        if (!taken)
            return taken.error();
    }
    if (subject_kind) {
        const auto kind = parse_subject_kind(*subject_kind);
        if (!kind)
            return kind.error();
        scope.subject_kind = *kind;
    }
    if (sink) {
        scope.sink = contract::parse_sink(*sink);
        if (!scope.sink)
            return Error{ErrorCode::InvalidScope, "unknown sink: " + *sink};
    }
    return scope;
}

} // namespace

Dictionary to_bus(const ListedRule& listed)
{
    const Rule& rule = listed.rule;
    return {
        {"id", sdbus::Variant(rule.id)},
        {"uid", sdbus::Variant(std::uint32_t{rule.owner})},
        {"verdict", variant(to_string(rule.verdict))},
        {"subject_kind", variant(to_string(rule.scope.subject_kind))},
        {"subject", variant(rule.scope.subject)},
        {"executable", variant(rule.scope.executable)},
        {"host", variant(rule.scope.host)},
        {"port", sdbus::Variant(rule.scope.port)},
        {"sink", variant(to_string(rule.scope.sink))},
        {"duration", variant(to_string(rule.lifetime.duration))},
        {"pid", sdbus::Variant(static_cast<std::uint32_t>(rule.lifetime.process.pid))},
        {"expires", sdbus::Variant(listed.expires)},
        {"created", sdbus::Variant(rule.created)},
        {"hits", sdbus::Variant(rule.hits)},
    };
}

Result<ScopeRequest> scope_from_bus(const Dictionary& dictionary)
{
    Dictionary rest = dictionary;
    auto scope = take_scope(rest);
    if (!scope)
        return scope;
    if (auto known = refuse_rest(rest); !known)
        return known.error();
    return scope;
}

Result<RuleRequest> rule_from_bus(const Dictionary& dictionary)
{
    Dictionary rest = dictionary;
    std::optional<std::string> verdict_text;
    std::optional<std::string> duration_text;
    for (const auto& taken : {take(rest, "verdict", verdict_text), take(rest, "duration", duration_text)}) {
        if (!taken)
            return taken.error();
    }
    const auto verdict = verdict_from_bus(verdict_text.value_or(""));
    if (!verdict)
        return verdict.error();
    const auto duration = duration_from_bus(duration_text.value_or(""));
    if (!duration)
        return duration.error();
    const auto scope = take_scope(rest);
    if (!scope)
        return scope.error();
    if (auto known = refuse_rest(rest); !known)
        return known.error();
    return RuleRequest{*verdict, *duration, *scope};
}

Result<Verdict> verdict_from_bus(const std::string& text)
{
    if (const auto verdict = parse_verdict(text))
        return *verdict;
    return Error{ErrorCode::InvalidVerdict, "unknown verdict: " + text};
}

Result<Duration> duration_from_bus(const std::string& text)
{
    if (const auto duration = parse_duration(text))
        return *duration;
    return Error{ErrorCode::InvalidDuration, "unknown duration: " + text};
}

} // namespace tacet
