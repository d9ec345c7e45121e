// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/dictionary.h"

#include <algorithm>
#include <array>

#include "common/text.h"

namespace tacet {
namespace {

constexpr std::size_t name_max = 255;

sdbus::Variant variant(std::string_view text)
{
    return sdbus::Variant(to_utf8(text));
}

sdbus::Variant variant(const std::vector<std::string>& texts)
{
    std::vector<std::string> valid;
    for (const std::string& text : texts)
        valid.push_back(to_utf8(text));
    return sdbus::Variant(valid);
}

std::uint64_t microseconds(BootTime time)
{
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(time).count());
}

template <typename T>
Result<void> take(Dictionary& dictionary, const char* key, std::optional<T>& ret_value)
{
    const auto found = dictionary.find(key);
    if (found == dictionary.end())
        return {};
    if (!found->second.containsValueOfType<T>())
        return Error{ErrorCode::InvalidScope, std::string(key) + " has the wrong type"};
    ret_value = found->second.get<T>();
    dictionary.erase(found);
    return {};
}

Result<ScopeRequest> take_scope(Dictionary& dictionary)
{
    ScopeRequest scope;
    std::optional<std::string> subject_kind;
    for (const auto& taken : {take(dictionary, "subject_kind", subject_kind), take(dictionary, "subject", scope.subject),
                              take(dictionary, "executable", scope.executable), take(dictionary, "host", scope.host),
                              take(dictionary, "port", scope.port), take(dictionary, "changes", scope.changes)}) {
        if (!taken)
            return taken.error();
    }
    if (subject_kind) {
        const auto kind = parse_subject_kind(*subject_kind);
        if (!kind)
            return kind.error();
        scope.subject_kind = *kind;
    }
    return scope;
}

std::vector<std::string> to_strings(const std::vector<std::vector<std::uint8_t>>& words)
{
    std::vector<std::string> strings;
    for (const auto& word : words)
        strings.emplace_back(word.begin(), word.end());
    return strings;
}

bool to_store(std::string_view text, StoreChoice& ret_store)
{
    constexpr std::array<std::string_view, 3> names{"auto", "memory", "disk"};
    const auto found = std::ranges::find(names, text);
    ret_store = static_cast<StoreChoice>(found - names.begin());
    return found != names.end();
}

bool is_display(std::string_view text)
{
    constexpr std::size_t digits = 5;
    return text.starts_with(':') && text.size() > 1 && text.size() <= 1 + digits
           && text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

bool is_cookie(std::string_view text)
{
    constexpr std::size_t digits = 32;
    return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<void> refuse_rest(const Dictionary& dictionary)
{
    if (!dictionary.empty())
        return Error{ErrorCode::InvalidScope, "unknown key: " + dictionary.begin()->first};
    return {};
}

} // namespace

Dictionary to_bus(const LabelledFile& file)
{
    return {
        {"path", variant(file.path)},
        {"categories", variant(file.categories)},
        {"uid", sdbus::Variant(std::uint32_t{file.owner})},
        {"derived", sdbus::Variant(file.derived)},
        {"since", sdbus::Variant(file.since)},
        {"missing", sdbus::Variant(file.missing)},
        {"shadow", sdbus::Variant(file.shadow)},
    };
}

Dictionary to_bus(const Question& question)
{
    return {
        {"id", sdbus::Variant(question.id)},
        {"time", sdbus::Variant(question.time)},
        {"expires", sdbus::Variant(microseconds(question.deadline))},
        {"pid", sdbus::Variant(static_cast<std::uint32_t>(question.process.pid))},
        {"uid", sdbus::Variant(std::uint32_t{question.uid})},
        {"executable", variant(question.executable)},
        {"command", variant(question.command)},
        {"comm", variant(question.comm)},
        {"parent", variant(question.parent)},
        {"file", variant(question.file)},
        {"chain", variant(question.chain)},
        {"categories", variant(question.categories)},
        {"sink", variant(to_string(question.sink))},
        {"address", variant(question.address)},
        {"host", variant(question.host)},
        {"port", sdbus::Variant(question.port)},
        {"protocol", variant(question.protocol)},
        {"target", variant(question.target)},
        {"tainted", sdbus::Variant(question.tainted)},
        {"can_take_over", sdbus::Variant(question.can_take_over)},
        {"removes", sdbus::Variant(question.removes)},
        {"in_session", sdbus::Variant(question.in_session)},
        {"length", sdbus::Variant(question.length)},
        {"scrubbed_length", sdbus::Variant(question.scrubbed_length)},
        {"preview", sdbus::Variant(question.preview)},
        {"scrubbed_preview", sdbus::Variant(question.scrubbed_preview)},
        {"calls_equal", sdbus::Variant(question.calls_equal)},
        {"calls_total", sdbus::Variant(question.calls_total)},
        {"calls_realigned", sdbus::Variant(question.calls_realigned)},
        {"binary_changed", sdbus::Variant(question.binary_changed)},
    };
}

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
        {"changes", sdbus::Variant(rule.scope.changes)},
        {"duration", variant(to_string(rule.lifetime.duration))},
        {"pid", sdbus::Variant(static_cast<std::uint32_t>(rule.lifetime.process.pid))},
        {"expires", sdbus::Variant(listed.expires)},
        {"created", sdbus::Variant(rule.created)},
        {"hits", sdbus::Variant(rule.hits)},
    };
}

Dictionary to_bus(const LogEntry& entry)
{
    return {
        {"id", sdbus::Variant(entry.id)},
        {"time", sdbus::Variant(entry.time)},
        {"uid", sdbus::Variant(std::uint32_t{entry.owner})},
        {"kind", variant(entry.kind)},
        {"verdict", variant(entry.verdict)},
        {"rule", sdbus::Variant(entry.rule)},
        {"pid", sdbus::Variant(static_cast<std::uint32_t>(entry.pid))},
        {"executable", variant(entry.executable)},
        {"comm", variant(entry.comm)},
        {"file", variant(entry.file)},
        {"categories", variant(entry.categories)},
        {"host", variant(entry.host)},
        {"port", sdbus::Variant(entry.port)},
        {"length", sdbus::Variant(entry.length)},
        {"reason", variant(entry.reason)},
    };
}

Dictionary to_bus(const Protection& protection)
{
    return {
        {"name", variant(protection.name)},
        {"enforced", sdbus::Variant(protection.enforced)},
        {"by", variant(protection.by)},
        {"detail", variant(protection.detail)},
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

Result<SessionStart> session_from_bus(const std::vector<std::vector<std::uint8_t>>& command,
                                      const std::vector<std::vector<std::uint8_t>>& environment,
                                      const std::vector<std::uint8_t>& directory, const Dictionary& options)
{
    Dictionary rest = options;
    SessionStart start;
    std::optional<std::uint64_t> size;
    std::optional<bool> network;
    std::optional<bool> audio;
    std::optional<bool> keep;
    std::optional<std::string> name;
    std::optional<std::string> store;
    std::optional<std::string> display;
    std::optional<std::string> cookie;
    for (const auto& taken : {take(rest, "name", name), take(rest, "store", store), take(rest, "size", size),
                              take(rest, "keep", keep), take(rest, "network", network), take(rest, "audio", audio),
                              take(rest, "display", display), take(rest, "cookie", cookie)}) {
        if (!taken)
            return Error{ErrorCode::InvalidArgument, taken.error().message};
    }
    if (!rest.empty())
        return Error{ErrorCode::InvalidArgument, "unknown option: " + rest.begin()->first};
    start.command = to_strings(command);
    start.environment = to_strings(environment);
    start.directory.assign(directory.begin(), directory.end());
    start.name = name.value_or("");
    start.size = size.value_or(0);
    start.keep = keep.value_or(false);
    start.network = network.value_or(true);
    start.audio = audio.value_or(false);
    start.display = display.value_or("");
    start.cookie = cookie.value_or("");
    if (!to_store(store.value_or("auto"), start.store))
        return Error{ErrorCode::InvalidArgument, "a store is memory, disk or auto"};
    if (start.name.size() > name_max)
        return Error{ErrorCode::InvalidArgument, "a name has at most 255 bytes"};
    if (start.command.empty() || start.command.front().empty() || !start.directory.starts_with('/'))
        return Error{ErrorCode::InvalidArgument, "a command and an absolute directory are needed"};
    if (!start.display.empty() && (!is_display(start.display) || !is_cookie(start.cookie)))
        return Error{ErrorCode::InvalidArgument, "a display is a colon and a number, its cookie 32 hexadecimal digits"};
    return start;
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
