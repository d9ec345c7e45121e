// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/scope.h"

#include "cli/paths.h"

namespace tacet::cli {
namespace {

constexpr std::uint64_t port_max = 65535;

std::vector<Option> options(const Value& duration, const char* duration_help, bool may_be_empty)
{
    return {
        {"--for", duration_help, duration},
        {"--file", "data from this file", values::path, "subject", may_be_empty},
        {"--folder", "data from files in this folder", values::folder, "subject", may_be_empty},
        {"--label", "data of this category", values::kind, "subject", may_be_empty},
        {"--any-file", "any sensitive data", {}, "subject"},
        {"--executable", "this program: its path, or its name in PATH", values::program, "program"},
        {"--any-executable", "any program", {}, "program"},
        {"--host", "sent over the network to an address, a name or *.DOMAIN", values::host, "host"},
        {"--any-host", "sent to any host; any port too, without --port", {}, "host"},
        {"--device", "written to this device, such as /dev/ttyS0", values::path, "host", may_be_empty},
        {"--drive", "written to this file or folder of a drive that cannot keep marks", values::path, "host", may_be_empty},
        {"--port", "this port of it", values::number, "port"},
        {"--any-port", "any port", {}, "port"},
        {"--changes", "about changing sensitive files, not about sending", {}, "host"},
        json,
    };
}

void set_subject(const Arguments& arguments, Dictionary& scope)
{
    for (const std::string kind : {"file", "folder", "label"}) {
        const auto value = arguments.value(kind);
        if (!value)
            continue;
        scope["subject_kind"] = sdbus::Variant(kind);
        if (!value->empty())
            scope["subject"] = sdbus::Variant(kind == "label" ? *value : real_path(*value));
    }
    if (arguments.has("any-file"))
        scope["subject_kind"] = sdbus::Variant(std::string("any"));
}

// The destination: each option stands for one kind.
void set_destination(const Arguments& arguments, Dictionary& scope)
{
    for (const auto& [option, sink] : {std::pair{"host", "network"}, std::pair{"device", "device"}, std::pair{"drive", "file"}}) {
        const auto value = arguments.value(option);
        if (!value)
            continue;
        scope["sink"] = sdbus::Variant(std::string(sink));
        if (!value->empty())
            scope["host"] = sdbus::Variant(option == std::string_view("host") ? *value : real_path(*value));
    }
    if (arguments.has("any-host")) {
        scope["sink"] = sdbus::Variant(std::string("network"));
        scope["host"] = sdbus::Variant(std::string());
    }
    if (arguments.has("changes"))
        scope["sink"] = sdbus::Variant(std::string("marked"));
}

} // namespace

std::vector<Option> answer_options()
{
    return options(values::duration, "how long it holds (once)", true);
}

std::vector<Option> rule_options()
{
    return options(values::rule_duration, "how long it holds (always)", false);
}

Dictionary scope_of(const Arguments& arguments)
{
    Dictionary scope;
    set_subject(arguments, scope);
    if (const auto executable = arguments.value("executable"))
        scope["executable"] = sdbus::Variant(find_program(*executable));
    if (arguments.has("any-executable"))
        scope["executable"] = sdbus::Variant(std::string());
    set_destination(arguments, scope);
    if (const auto port = arguments.number("port", port_max))
        scope["port"] = sdbus::Variant(static_cast<std::uint16_t>(*port));
    if (arguments.has("any-port") || (arguments.has("any-host") && !arguments.has("port")))
        scope["port"] = sdbus::Variant(std::uint16_t{0});
    return scope;
}

} // namespace tacet::cli
