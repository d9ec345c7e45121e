// SPDX-License-Identifier: GPL-3.0-or-later
// status, doctor, pause, resume
#include "cli/authentication.h"
#include "cli/client.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "contract/methods.h"

namespace tacet::cli {
namespace {

constexpr std::uint64_t pause_default = 15;
constexpr std::uint64_t pause_max = 60;
constexpr const char* absent_reason = "tacetd is not running";

// As in Protection.List; all of them are without effect or without control while the daemon is absent.
constexpr std::array protection_names{
    "labels",         "interposition", "doppelgangers", "channels",   "disclosure",    "questions", "shadow-files",
    "private-memory", "private-swap",  "kernel-memory", "host-names", "lasting-rules", "boot"};

Json absent_protections()
{
    Json list = Json::array();
    for (const char* name : protection_names)
        list.push_back({{"name", name}, {"enforced", false}, {"by", absent_reason}, {"detail", "daemon-absent"}});
    return list;
}

int print_doctor(const Json& report, bool json, int code)
{
    if (json) {
        print_json(report);
        return code;
    }
    Table table({"PROTECTION", "ENFORCED", "BY", "DETAIL"});
    for (const Json& protection : report["protections"])
        table.add({protection["name"], protection["enforced"] ? "yes" : "no", protection["by"], protection["detail"]});
    table.print();
    return code;
}

int run_status(const Arguments& arguments)
{
    arguments.expect(0, 0);
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
    arguments.expect(0, 0);
    Json report = {{"daemon", nullptr}, {"module", nullptr}, {"protections", absent_protections()}};
    try {
        Client client;
        const Json status = client.status();
        report["daemon"] = status["version"];
        report["module"] = status["module"];
        report["protections"] = to_json(client.list(contract::protection::list));
    } catch (const sdbus::Error& error) {
        if (!means_absent(error))
            throw;
        return print_doctor(report, arguments.has("json"), exit_daemon_absent);
    }
    bool all = true;
    for (const Json& protection : report["protections"])
        all = all && protection["enforced"];
    return print_doctor(report, arguments.has("json"), all ? exit_ok : exit_unprotected);
}

int run_pause(const Arguments& arguments)
{
    arguments.expect(0, 1);
    const auto minutes = arguments.positional().empty() ? pause_default : to_number(arguments.positional().front(), pause_max);
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
    arguments.expect(0, 0);
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
        {"status", "", "is this machine protected", {json}, run_status},
        {"doctor", "", "each protection: enforced or not, and by what", {json}, run_doctor},
        {"pause", "[MINUTES]", "let everything pass for 1 to 60 minutes (15)", {json}, run_pause},
        {"resume", "", "end the pause", {json}, run_resume},
    };
    return commands;
}

} // namespace tacet::cli
