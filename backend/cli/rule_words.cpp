// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/rule_words.h"

#include <cstdint>
#include <map>
#include <string_view>

#include "cli/output.h"

namespace tacet::cli {
namespace {

std::string text_of(const Json& rule, const char* key)
{
    return rule.value(key, std::string());
}

int port_of(const Json& rule)
{
    return rule.value("port", 0);
}

std::string program_of(const Json& rule)
{
    const std::string path = text_of(rule, "executable");
    return path.empty() ? "any program" : path;
}

std::string data_of(const Json& rule, bool changes)
{
    const std::string kind = text_of(rule, "subject_kind");
    const std::string subject = text_of(rule, "subject");
    if (kind == "file")
        return changes ? subject : "data from " + subject;
    if (kind == "folder")
        return (changes ? "sensitive files in " : "data from files in ") + subject;
    if (kind == "label")
        return (changes ? "files of the category \"" : "data of the category \"") + subject + "\"";
    return changes ? "any sensitive file" : "any sensitive data";
}

std::string sink_of(const Json& rule)
{
    return rule.value("sink", std::string("network"));
}

std::string host_of(const Json& rule)
{
    const std::string host = text_of(rule, "host");
    const std::string port = std::to_string(port_of(rule));
    if (port_of(rule) == 0)
        return host.empty() ? "any host" : host;
    return host.empty() ? "port " + port + " of any host" : host + ", port " + port;
}

std::string destination_of(const Json& rule)
{
    const std::string sink = sink_of(rule);
    const std::string path = text_of(rule, "host");
    if (sink == "file")
        return path.empty() ? "any drive that cannot keep marks" : "the file or folder " + path;
    if (sink == "device")
        return path.empty() ? "any device" : "the device " + path;
    if (sink == "other")
        return "any connection that cannot be followed";
    return host_of(rule);
}

std::string duration_of(const Json& rule)
{
    if (const auto expires = rule.value("expires", std::uint64_t{0}); expires != 0)
        return "until " + local_time(expires);
    static const std::map<std::string_view, std::string_view> words{{"15min", "for 15 minutes"},
                                                                    {"1h", "for 1 hour"},
                                                                    {"reboot", "until the computer restarts"},
                                                                    {"process", "until the program quits"}};
    const std::string duration = text_of(rule, "duration");
    const auto found = words.find(duration);
    return found == words.end() ? duration : std::string(found->second);
}

std::string change_sentence(const Json& rule)
{
    const std::string verdict = text_of(rule, "verdict");
    const std::string what = data_of(rule, true);
    if (verdict == "allow")
        return "Allow " + program_of(rule) + " to change " + what;
    if (verdict == "quit")
        return "Quit " + program_of(rule) + " when it is about to change " + what;
    return "Block " + program_of(rule) + " from changing " + what;
}

std::string send_sentence(const Json& rule)
{
    const std::string verdict = text_of(rule, "verdict");
    const std::string who = program_of(rule);
    const std::string what = data_of(rule, false) + " to " + destination_of(rule);
    if (verdict == "allow")
        return "Allow " + who + " to send " + what;
    if (verdict == "scrub")
        return "When " + who + " sends " + what + ", send the scrubbed copy instead";
    if (verdict == "takeover")
        return "Continue " + who + " on scrubbed data when it is about to send " + what;
    if (verdict == "quit")
        return "Quit " + who + " when it is about to send " + what;
    return "Block " + who + " from sending " + what;
}

} // namespace

bool is_about_change(const Json& rule)
{
    return sink_of(rule) == "marked";
}

std::string rule_sentence(const Json& rule)
{
    return (is_about_change(rule) ? change_sentence(rule) : send_sentence(rule)) + ": " + duration_of(rule) + ".";
}

bool has_condition(const Json& rule)
{
    return rule.value("subject_kind", std::string("any")) != "any" || !text_of(rule, "executable").empty()
           || !text_of(rule, "host").empty() || port_of(rule) != 0;
}

} // namespace tacet::cli
