// SPDX-License-Identifier: GPL-3.0-or-later
// status, doctor, pause, resume
#include <algorithm>
#include <set>

#include "cli/authentication.h"
#include "cli/client.h"
#include "cli/commands.h"
#include "cli/failures.h"
#include "cli/output.h"
#include "cli/remedies.h"
#include "common/heap_errors.h"
#include "common/heap_reach.h"
#include "contract/methods.h"

namespace tacet::cli {
namespace {

constexpr std::uint64_t pause_default = 15;
constexpr std::uint64_t pause_max = 60;

// As in Protection.List; all of them are without effect or without control while the daemon is absent.
constexpr std::array protection_names{"labels",       "label-index",   "interposition", "doppelgangers",  "channels",
                                      "disclosure",   "questions",     "shadow-files",  "private-memory", "private-swap",
                                      "freed-memory", "kernel-memory", "host-names",    "lasting-rules",  "boot"};

Json unknown_protections(const sdbus::Error& error)
{
    Json list = Json::array();
    for (const char* name : protection_names)
        list.push_back({{"name", name},
                        {"enforced", false},
                        {"by", message_of(error)},
                        {"detail", means_absent(error) ? daemon_absent : daemon_silent}});
    return list;
}

void print_tables(const Json& protections)
{
    Table table({"PROTECTION", "ENFORCED", "BY", "DETAIL"});
    Table remedies({"DETAIL", "REMEDY"});
    std::set<std::string> told;
    for (const Json& protection : protections) {
        const std::string detail = protection["detail"];
        table.add({protection["name"], protection["enforced"] ? "yes" : "no", protection["by"], detail});
        if (!detail.empty() && told.insert(detail).second)
            remedies.add({detail, protection["remedy"]});
    }
    table.print();
    if (!remedies.empty())
        print_line("");
    remedies.print();
}

// The caller's chosen programs whose heap is not cleared.
Json pages_and_stack_only(const Client::MemoryPolicy& policy)
{
    Json list = Json::array();
    for (const std::string& program : policy.programs)
        if (!is_heap_reached(program))
            list.push_back(program);
    return list;
}

// Processes of the caller's chosen programs that have used memory which they had freed.
Json used_after_free(const Client::MemoryPolicy& policy)
{
    Json list = Json::array();
    for (const std::string& program : policy.programs)
        for (const ProcessErrors& errors : heap_errors_of(program))
            list.push_back({{"program", program}, {"pid", errors.process}, {"writes", errors.writes}, {"frees", errors.frees}});
    return list;
}

bool is_enforced(const Json& protections, std::string_view name)
{
    return std::ranges::any_of(protections, [name](const Json& item) { return item["name"] == name && item["enforced"]; });
}

// Which memory is cleared of programs that are in no private session, and by what.
Json memory_layers(const Client::MemoryPolicy& policy, const Json& protections)
{
    const bool module = is_enforced(protections, "labels") && policy.scope != "off";
    const bool objects = is_enforced(protections, "kernel-memory");
    Json list = Json::array();
    for (const std::string_view layer : contract::memory_layer_words) {
        const bool concerns = policy.covers_programs() || (layer != "stack" && layer != "heap");
        const bool cleared = module && concerns && policy.clears(layer) && (layer != "buffers" || objects);
        const char* by = layer == "heap" ? "libtacet-heap.so" : "the kernel module";
        list.push_back({{"layer", layer}, {"cleared", cleared}, {"by", cleared ? by : ""}});
    }
    return list;
}

void print_memory(const Json& report)
{
    Table table({"FREED MEMORY", "CLEARED", "BY"});
    for (const Json& layer : report["memory_layers"])
        table.add({layer["layer"], layer["cleared"] ? "yes" : "no", layer["by"]});
    if (report["memory_layers"].empty())
        return;
    print_line("");
    table.print();
    if (!report["pages_and_stack_only"].empty()) {
        print_line("");
        print_line("Of these chosen programs the heap is not cleared:");
    }
    for (const Json& program : report["pages_and_stack_only"])
        print_line(program.get_ref<const std::string&>());
    Table errors({"HAS USED FREED MEMORY", "PID", "BLOCKS WRITTEN", "BLOCKS FREED AGAIN"});
    for (const Json& process : report["used_after_free"])
        errors.add({process["program"], process["pid"].dump(), process["writes"].dump(), process["frees"].dump()});
    if (!errors.empty())
        print_line("");
    errors.print();
}

int print_doctor(Json report, bool json, int code)
{
    for (Json& protection : report["protections"])
        protection["remedy"] = remedy_of(protection["detail"].get<std::string>());
    if (json)
        print_json(report);
    else {
        print_tables(report["protections"]);
        print_memory(report);
    }
    return code;
}

int run_status(const Arguments& arguments)
{
    Client client;
    Json status = client.status();
    status["questions"] = client.list(contract::breaches::list).size();
    const bool protects = status["module"] == "active" && status["paused_until"] == 0;
    if (arguments.has("json")) {
        print_json(status);
        return protects ? exit_ok : exit_unprotected;
    }
    const auto paused_until = status["paused_until"].get<std::uint64_t>();
    print_line("tacetd     " + status["version"].get<std::string>());
    print_line("module     " + status["module"].get<std::string>());
    print_line("paused     " + (paused_until == 0 ? "no" : "until " + local_time(paused_until)));
    print_line("questions  " + std::to_string(status["questions"].get<std::size_t>()) + " open");
    return protects ? exit_ok : exit_unprotected;
}

int run_doctor(const Arguments& arguments)
{
    Json report = {{"daemon", nullptr},
                   {"module", nullptr},
                   {"protections", nullptr},
                   {"memory_layers", Json::array()},
                   {"pages_and_stack_only", Json::array()},
                   {"used_after_free", Json::array()}};
    try {
        Client client;
        const Json status = client.status();
        report["daemon"] = status["version"];
        report["module"] = status["module"];
        report["protections"] = to_json(client.list(contract::protection::list));
        const Client::MemoryPolicy policy = client.memory_policy();
        report["memory_layers"] = memory_layers(policy, report["protections"]);
        report["pages_and_stack_only"] = pages_and_stack_only(policy);
        report["used_after_free"] = used_after_free(policy);
    } catch (const sdbus::Error& error) {
        if (!means_absent(error) && !means_timeout(error))
            throw;
        report["protections"] = unknown_protections(error);
        return print_doctor(report, arguments.has("json"), exit_code_of(error));
    }
    bool all = true;
    for (const Json& protection : report["protections"])
        all = all && protection["enforced"];
    return print_doctor(report, arguments.has("json"), all ? exit_ok : exit_unprotected);
}

int run_pause(const Arguments& arguments)
{
    const auto minutes = arguments.operands().empty() ? pause_default : to_number(arguments.operands().front(), pause_max);
    const TerminalAuthentication authentication;
    const std::uint64_t until = Client().fetch<std::uint64_t>(contract::protection::pause, static_cast<std::uint32_t>(minutes));
    if (arguments.has("json"))
        print_json({{"paused_until", until}});
    else
        print_line("paused until " + local_time(until));
    return exit_ok;
}

int run_resume(const Arguments& arguments)
{
    const TerminalAuthentication authentication;
    Client().call(contract::protection::resume);
    if (arguments.has("json"))
        print_json({{"paused_until", 0}});
    return exit_ok;
}

} // namespace

std::span<const Command> protection_commands()
{
    static const std::vector<Command> commands{
        {"status", "tell whether this computer is protected", {json}, {}, run_status, "  tacet status"},
        {"doctor",
         "tell of each protection whether it is enforced, by what, and the remedy",
         {json},
         {},
         run_doctor,
         "  tacet doctor\n"
         "  tacet doctor --json"},
        {"pause",
         "let everything pass for a while",
         {json},
         {{values::minutes, "1 to 60; 15 without it", false}},
         run_pause,
         "  tacet pause\n"
         "  tacet pause 5"},
        {"resume", "end the pause", {json}, {}, run_resume, "  tacet resume"},
    };
    return commands;
}

} // namespace tacet::cli
