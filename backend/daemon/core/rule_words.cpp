// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/core/rule_words.h"

namespace tacet {
namespace {

std::string app_words(const RuleScope& scope)
{
    return scope.executable.empty() ? "any program" : scope.executable;
}

std::string data_words(const RuleScope& scope)
{
    switch (scope.subject_kind) {
    case SubjectKind::Any:
        return "any sensitive data";
    case SubjectKind::Label:
        return "sensitive data of the category " + scope.subject;
    case SubjectKind::Folder:
        return "what is in " + scope.subject;
    case SubjectKind::File:
        break;
    }
    return scope.subject;
}

std::string host_words(const RuleScope& scope)
{
    const std::string host = scope.host.empty() ? "to any host" : "to " + scope.host;
    return scope.port == 0 ? host : host + ", port " + std::to_string(scope.port);
}

std::string destination_words(const RuleScope& scope)
{
    switch (scope.sink) {
    case Sink::File:
        return scope.host.empty() ? "to any drive that cannot keep marks" : "to the file or folder " + scope.host;
    case Sink::Device:
        return scope.host.empty() ? "to any device" : "to the device " + scope.host;
    case Sink::Other:
        return "over any connection that cannot be followed";
    case Sink::Network:
    case Sink::Marked:
        break;
    }
    return host_words(scope);
}

std::string act_words(Verdict verdict, const std::string& data)
{
    switch (verdict) {
    case Verdict::Block:
        return "may not send " + data;
    case Verdict::Quit:
        return "is quit when it sends " + data;
    case Verdict::Takeover:
        return "goes on with scrubbed data when it sends " + data;
    case Verdict::Scrub:
        return "sends only a scrubbed copy of " + data;
    case Verdict::Allow:
        break;
    }
    return "may send " + data;
}

std::string change_words(Verdict verdict, const std::string& data)
{
    if (verdict == Verdict::Quit)
        return "is quit when it changes " + data;
    return (verdict == Verdict::Allow ? "may change " : "may not change ") + data;
}

std::string_view time_words(Duration duration)
{
    switch (duration) {
    case Duration::Once:
        return "once";
    case Duration::Process:
        return "until it ends";
    case Duration::Minutes15:
        return "for 15 minutes";
    case Duration::Hour:
        return "for an hour";
    case Duration::Reboot:
        return "until the computer restarts";
    case Duration::Always:
        break;
    }
    return "always";
}

} // namespace

std::string describe(Verdict verdict, const RuleScope& scope, Duration duration)
{
    const std::string data = data_words(scope);
    const std::string act =
        scope.sink == Sink::Marked ? change_words(verdict, data) : act_words(verdict, data) + " " + destination_words(scope);
    return app_words(scope) + " " + act + ", " + std::string(time_words(duration));
}

Details rule_details(std::string_view task, const Rule& rule)
{
    const std::string words = describe(rule.verdict, rule.scope, rule.lifetime.duration);
    return {{"app", app_words(rule.scope)},
            {"rule", words},
            {"polkit.message", "Authentication is required to " + std::string(task) + " this rule: " + words}};
}

} // namespace tacet
