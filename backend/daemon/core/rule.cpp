// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/core/rule.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "common/file_name.h"
#include "common/text.h"
#include "contract/codes.h"

namespace tacet {
namespace {

constexpr std::size_t host_max = 253;

// Another path, such as one with "..", would be another name of the same file, and match nothing.
bool is_name(std::string_view path)
{
    return is_file_name(path) && is_utf8(path);
}

bool is_host(std::string_view host)
{
    const auto is_foreign = [](unsigned char letter) { return letter <= ' ' || letter == '/'; };
    return host.size() <= host_max && is_utf8(host) && std::ranges::none_of(host, is_foreign);
}

std::string normalize_host(std::string_view host)
{
    std::array<unsigned char, sizeof(in6_addr)> address{};
    std::array<char, INET6_ADDRSTRLEN> text{};
    const std::string copy(host);
    for (const int family : {AF_INET, AF_INET6}) {
        if (inet_pton(family, copy.c_str(), address.data()) == 1)
            return inet_ntop(family, address.data(), text.data(), text.size());
    }
    std::string lower(host);
    std::ranges::transform(lower, lower.begin(),
                           [](char letter) { return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter; });
    return lower;
}

bool is_inside(std::string_view path, std::string_view folder)
{
    return path.size() > folder.size() && path.starts_with(folder) && (folder.ends_with('/') || path[folder.size()] == '/');
}

bool name_matches(std::string_view pattern, std::string_view name)
{
    return pattern == name || (pattern.starts_with("*.") && name.ends_with(pattern.substr(1)));
}

// An address may have several names, and the program may mean any of them. A rule that lets data out, also scrubbed, has to
// match every name. A rule that holds it back has to match one.
bool peer_matches(std::string_view pattern, const Question& question, bool refuses)
{
    if (pattern == question.address)
        return true;
    const auto fits = [&](const std::string& name) { return name_matches(pattern, name); };
    if (refuses)
        return fits(question.host) || std::ranges::any_of(question.learned_names, fits);
    return question.names_complete && fits(question.host) && std::ranges::all_of(question.learned_names, fits);
}

bool has_path(Sink sink)
{
    return sink == Sink::File || sink == Sink::Device;
}

bool target_matches(std::string_view path, const Question& question)
{
    return path == question.target || is_inside(question.target, path);
}

bool host_matches(const Rule& rule, const Question& question)
{
    if (has_path(question.sink))
        return target_matches(rule.scope.host, question);
    return peer_matches(rule.scope.host, question, rule.verdict == Verdict::Block || rule.verdict == Verdict::Quit);
}

// A permission for data of several labels has to cover each of them. A refusal of one label refuses the whole.
bool subject_matches(const Rule& rule, const Question& question)
{
    const RuleScope& scope = rule.scope;
    const bool refuses = rule.verdict != Verdict::Allow;
    switch (scope.subject_kind) {
    case SubjectKind::Any:
        return true;
    case SubjectKind::Label:
        return refuses ? std::ranges::count(question.categories, scope.subject) > 0
                       : question.categories == std::vector<std::string>{scope.subject};
    case SubjectKind::Folder:
        return is_inside(question.file, scope.subject) && (refuses || question.label_within_file);
    case SubjectKind::File:
        return question.file == scope.subject && (refuses || question.label_within_file);
    }
    return false;
}

std::string without_trailing_slash(std::string path)
{
    while (path.size() > 1 && path.ends_with('/'))
        path.pop_back();
    return path;
}

Result<void> validate_subject(const RuleScope& scope)
{
    switch (scope.subject_kind) {
    case SubjectKind::Any:
        if (!scope.subject.empty())
            return Error{ErrorCode::InvalidScope, "the subject 'any' takes no value"};
        break;
    case SubjectKind::Label:
        if (!is_category_kind(scope.subject))
            return Error{ErrorCode::InvalidScope, "unknown category: " + scope.subject};
        break;
    case SubjectKind::Folder:
    case SubjectKind::File:
        if (!is_name(scope.subject) && !(scope.subject_kind == SubjectKind::Folder && scope.subject == "/"))
            return Error{ErrorCode::InvalidScope, "the subject is not the absolute path of a file or folder"};
        break;
    }
    return {};
}

Result<void> validate_destination(const RuleScope& scope)
{
    if (scope.port != 0 && scope.sink != Sink::Network)
        return Error{ErrorCode::InvalidScope, "only a rule about the network has a port"};
    if (scope.host.empty())
        return {};
    switch (scope.sink) {
    case Sink::Network:
        if (scope.host.starts_with('/'))
            return Error{ErrorCode::InvalidScope, "a path is no host: name the sink, file or device"};
        if (!is_host(scope.host))
            return Error{ErrorCode::InvalidScope, "the host is neither an address nor a name"};
        return {};
    case Sink::File:
    case Sink::Device:
        if (scope.host != "/" && !(is_plain_path(scope.host) && is_utf8(scope.host)))
            return Error{ErrorCode::InvalidScope, "the destination is not the absolute path of a file, folder or device"};
        return {};
    case Sink::Other:
    case Sink::Marked:
        break;
    }
    return Error{ErrorCode::InvalidScope, "a rule about this sink has no host"};
}

} // namespace

Result<SubjectKind> parse_subject_kind(std::string_view text)
{
    if (const auto kind = contract::parse_subject_kind(text))
        return *kind;
    return Error{ErrorCode::InvalidScope, "unknown subject kind: " + std::string(text)};
}

Result<RuleScope> validate(RuleScope scope)
{
    if (scope.subject_kind == SubjectKind::Folder)
        scope.subject = without_trailing_slash(std::move(scope.subject));
    scope.host = has_path(scope.sink) ? without_trailing_slash(std::move(scope.host)) : normalize_host(scope.host);
    if (const auto subject = validate_subject(scope); !subject)
        return subject.error();
    if (!scope.executable.empty() && !is_name(scope.executable))
        return Error{ErrorCode::InvalidScope, "the executable is not the absolute path of a file"};
    if (const auto destination = validate_destination(scope); !destination)
        return destination.error();
    return scope;
}

Result<void> validate(Verdict verdict, Sink sink)
{
    if (sink == Sink::Marked && (verdict == Verdict::Scrub || verdict == Verdict::Takeover))
        return Error{ErrorCode::InvalidVerdict, "a change has no scrubbed copy: block, allow or quit"};
    return {};
}

RuleLifetime make_lifetime(Duration duration, const Clock& clock, const ProcessIdentity& process)
{
    RuleLifetime lifetime{.duration = duration, .boot_id = clock.boot_id(), .expires = {}, .process = {}};
    if (duration == Duration::Minutes15)
        lifetime.expires = clock.boottime() + std::chrono::minutes(15);
    else if (duration == Duration::Hour)
        lifetime.expires = clock.boottime() + std::chrono::hours(1);
    else if (duration == Duration::Process)
        lifetime.process = process;
    return lifetime;
}

bool has_ended(const RuleLifetime& lifetime, const Clock& clock)
{
    switch (lifetime.duration) {
    case Duration::Always:
        return false;
    case Duration::Once:
        return true;
    case Duration::Minutes15:
    case Duration::Hour:
        return lifetime.boot_id != clock.boot_id() || clock.boottime() >= lifetime.expires;
    case Duration::Process:
    case Duration::Reboot:
        break;
    }
    return lifetime.boot_id != clock.boot_id();
}

UnixTime estimate_end(const RuleLifetime& lifetime, const Clock& clock)
{
    if (lifetime.expires == BootTime::zero())
        return 0;
    const auto left = std::chrono::ceil<std::chrono::seconds>(lifetime.expires - clock.boottime()).count();
    return clock.realtime() + static_cast<UnixTime>(std::max<long>(left, 0));
}

bool matches(const Rule& rule, const Question& question)
{
    if (rule.owner != 0 && rule.owner != question.owner)
        return false;
    if (rule.scope.sink != question.sink)
        return false;
    if (rule.lifetime.duration == Duration::Process && rule.lifetime.process != question.process)
        return false;
    if (!rule.scope.executable.empty() && rule.scope.executable != question.executable)
        return false;
    if (!rule.scope.host.empty() && !host_matches(rule, question))
        return false;
    if (rule.scope.port != 0 && rule.scope.port != question.port)
        return false;
    return subject_matches(rule, question);
}

bool is_about_destination(const RuleScope& scope, const Question& question)
{
    if (scope.sink != question.sink)
        return false;
    const bool is_wide = scope.host.empty() || scope.host == "/";
    return !has_path(scope.sink) || (!is_wide && target_matches(scope.host, question));
}

bool precedes(const Rule& left, const Rule& right)
{
    const auto rank = [](const Rule& rule) {
        const std::size_t depth = rule.scope.subject_kind == SubjectKind::Folder ? rule.scope.subject.size() : 0;
        const int host = rule.scope.host.empty() ? 0 : rule.scope.host.starts_with("*.") ? 1 : 2;
        return std::tuple(rule.scope.subject_kind, depth, !rule.scope.executable.empty(), host, rule.scope.port != 0,
                          -static_cast<int>(rule.verdict), rule.id);
    };
    return rank(left) > rank(right);
}

const Rule* find_deciding(std::span<const Rule> rules, const Question& question, const Clock& clock)
{
    const Rule* best = nullptr;
    for (const Rule& rule : rules) {
        if (has_ended(rule.lifetime, clock) || !matches(rule, question))
            continue;
        if (best == nullptr || precedes(rule, *best))
            best = &rule;
    }
    return best;
}

bool is_broad_permission(Verdict verdict, const RuleScope& scope)
{
    return verdict == Verdict::Allow && (scope.subject_kind == SubjectKind::Any || scope.executable.empty());
}

} // namespace tacet
