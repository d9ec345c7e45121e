// SPDX-License-Identifier: GPL-3.0-or-later
// run; session list, end
#include <cstdint>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>

#include "cli/client.h"
#include "cli/commands.h"
#include "cli/desktop.h"
#include "cli/failures.h"
#include "cli/output.h"
#include "cli/passphrase.h"
#include "cli/private_display.h"
#include "cli/session_follower.h"
#include "cli/ssh_agent_relay.h"
#include "cli/value_of.h"
#include "common/argument_vector.h"
#include "common/box.h"
#include "common/channel.h"
#include "common/screen_reader.h"
#include "common/session_options.h"
#include "contract/codes.h"
#include "contract/methods.h"

extern char** environ;

namespace tacet::cli {
namespace {

std::vector<std::string> own_environment()
{
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable)
        variables.emplace_back(*variable);
    return variables;
}

bool is_on(const Arguments& arguments, const std::string& option, bool otherwise)
{
    const std::string word = arguments.value(option).value_or(otherwise ? "on" : "off");
    if (word != "on" && word != "off")
        throw UsageError("--" + option + " is on or off");
    return word == "on";
}

// "512M", "2G", or bytes.
std::uint64_t read_size(const std::string& text)
{
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string unit(end, text.data() + text.size());
    const unsigned shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
    if (failure != std::errc() || (shift == 0 && !unit.empty()) || number > std::numeric_limits<std::uint64_t>::max() >> shift)
        throw UsageError("not a size such as 512M or 2G: " + text);
    return number << shift;
}

// Null when there is to be none.
std::unique_ptr<PrivateDisplay> open_display(const Arguments& arguments)
{
    const bool has_desktop = desktop_kind() != DesktopKind::None;
    const std::string wanted = arguments.value("display").value_or(has_desktop ? "nested" : "none");
    if (wanted == "none")
        return nullptr;
    if (wanted != "nested")
        throw UsageError("--display is nested or none");
    const std::string program = std::filesystem::path(arguments.operands().front()).filename().string();
    return std::make_unique<PrivateDisplay>(arguments.value("name").value_or(program));
}

contract::StoreChoice read_store(const std::string& text)
{
    if (const auto choice = contract::parse_store_choice(text))
        return *choice;
    throw UsageError("--store is memory, disk or auto");
}

// Empty when there is to be no box.
UniqueFd open_passphrase(const Arguments& arguments, Client& client)
{
    const auto box = arguments.value("box");
    if (!box) {
        if (arguments.has("passphrase-file"))
            throw UsageError("--passphrase-file belongs to --box");
        return {};
    }
    if (!is_box_name(*box))
        throw UsageError(*box + ": " + box_name_rule);
    const Json boxes = to_json(client.list(contract::sessions::boxes));
    const bool exists = std::ranges::any_of(boxes, [&](const Json& known) { return known["name"] == *box; });
    return passphrase_pipe({*box, !exists, arguments.value("passphrase-file")});
}

// Null when there is to be none.
std::unique_ptr<SshAgentRelay> open_ssh_agent(const Arguments& arguments)
{
    return is_on(arguments, "ssh-agent", false) ? std::make_unique<SshAgentRelay>() : nullptr;
}

SessionOptions read_options(const Arguments& arguments, const PrivateDisplay* display, const SshAgentRelay* agent)
{
    SessionOptions options;
    options.network = is_on(arguments, "net", options.network);
    options.screen_reader = is_on(arguments, "screen-reader", options.screen_reader);
    options.audio = is_on(arguments, "audio", options.screen_reader);
    options.keep = arguments.has("keep");
    options.name = arguments.value("name").value_or("");
    if (const auto store = arguments.value("store"))
        options.store = read_store(*store);
    if (const auto size = arguments.value("size"))
        options.size = read_size(*size);
    options.box = arguments.value("box").value_or("");
    if (options.screen_reader && (display == nullptr || !options.audio))
        throw UsageError("a screen reader needs a display and sound");
    if (options.screen_reader && access(screen_reader, X_OK) != 0)
        throw UsageError(std::string(screen_reader) + " is not there, and no other screen reader is known: install orca");
    if (display != nullptr) {
        options.display = display->address();
        options.cookie = display->cookie();
    }
    if (agent != nullptr)
        options.ssh_agent = agent->path();
    return options;
}

sdbus::Variant to_variant(contract::StoreChoice store)
{
    return sdbus::Variant(std::string(to_string(store)));
}

template <typename Value>
sdbus::Variant to_variant(const Value& value)
{
    return sdbus::Variant(value);
}

Dictionary to_dictionary(const SessionOptions& options)
{
    Dictionary dictionary;
    for_each_session_option([&](const char* name, auto member) { dictionary[name] = to_variant(options.*member); });
    return dictionary;
}

void serve_clipboard(PrivateDisplay& display, std::uint64_t session)
{
    try {
        display.serve(session);
    } catch (const std::runtime_error& error) {
        print_error(std::string("no text can be pasted into this session: ") + error.what());
    }
}

// This process has the key of the session's display, and passes on what is typed and shown. No program but root's may read its
// memory, attach to it, or open its files.
void close_to_others()
{
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        throw std::runtime_error("the kernel does not close this process to others");
}

// Inside a session the program is private already. A variable alone would not be enough: it could be anybody's.
bool is_in_session()
{
    std::string first;
    std::getline(std::ifstream("/proc/1/comm"), first);
    return std::getenv("TACET_SESSION") != nullptr && first == "tacet-session";
}

// A menu entry of `tacet always` does not begin a session within the session.
int run_here(const Arguments& arguments)
{
    if (!is_on(arguments, "net", true))
        throw UsageError("inside a private session a program has the session's network, and --net off cannot hold");
    if (arguments.has("box"))
        throw UsageError("inside a private session a program changes the session's files, and no --box");
    std::vector<std::string> words = arguments.operands();
    execvp(words.front().c_str(), argument_vector(words).data());
    throw std::runtime_error(words.front() + ": " + std::strerror(errno));
}

int run_run(const Arguments& arguments)
{
    if (is_in_session())
        return run_here(arguments);
    close_to_others();
    auto [own, sessions] = value_of(make_channel());
    Client client;
    const UniqueFd passphrase = open_passphrase(arguments, client);
    const auto agent = open_ssh_agent(arguments);
    auto display = open_display(arguments);
    SessionFollower follower(std::move(own));
    std::vector<int> files{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, sessions.get()};
    if (display)
        files.push_back(display->server());
    if (passphrase)
        files.push_back(passphrase.get());
    const std::uint64_t id =
        client.start_session(arguments.operands(), own_environment(), std::filesystem::current_path().string(), files,
                             to_dictionary(read_options(arguments, display.get(), agent.get())));
    sessions = UniqueFd();
    if (display)
        serve_clipboard(*display, id);
    return follower.follow(id, std::move(display));
}

std::string place_of(const Json& session)
{
    const auto box = session["box"].get<std::string>();
    return !box.empty() ? "box " + box : session["on_disk"] ? "disk" : "memory";
}

int run_session_list(const Arguments& arguments)
{
    const Json sessions = to_json(Client().list(contract::sessions::list));
    if (arguments.has("json")) {
        print_json(sessions);
        return exit_ok;
    }
    Table table({"ID", "APPLICATION", "SINCE", "STATE", "STORE", "ON", "MEMORY", "SWAP", "NETWORK"});
    for (const Json& session : sessions)
        table.add({std::to_string(session["id"].get<std::uint64_t>()), session["application"],
                   local_time(session["since"].get<std::uint64_t>()), session["state"],
                   size_text(session["store"].get<std::uint64_t>()) + (session["full"] ? " (full)" : ""), place_of(session),
                   size_text(session["memory"].get<std::uint64_t>()), size_text(session["swap"].get<std::uint64_t>()),
                   session["network"] ? "yes" : "no"});
    table.print();
    return exit_ok;
}

int run_session_end(const Arguments& arguments)
{
    if (arguments.has("all") == !arguments.operands().empty())
        throw UsageError("say which sessions to end: by their ids, or --all");
    Client client;
    if (!arguments.has("all"))
        return run_each(arguments, "session", "ended", [&](std::uint64_t id) { client.call(contract::sessions::end, id); });
    client.call(contract::sessions::end_all);
    if (arguments.has("json"))
        print_json(Json::object());
    return exit_ok;
}

} // namespace

std::span<const Command> session_commands()
{
    static const std::vector<Command> commands{
        {"run",
         "run a program privately: nothing that it writes outlives it",
         {{"--name", "shown instead of the program's", values::name, "", true},
          {"--store", "where its changes are kept: memory, disk or auto", values::store},
          {"--size", "what they may take, such as 512M or 2G", values::size},
          {"--keep", "wait at the end, for files to be kept"},
          {"--box", "keep its changes, encrypted under a passphrase, for the next session with this box", values::name},
          {"--passphrase-file", "a file whose first line is the box's passphrase", values::path},
          {"--net", "whether it has the network (on)", values::on_off},
          {"--audio", "whether it may play and record (off)", values::on_off},
          {"--screen-reader", "whether Orca reads its windows to you, which needs sound (off)", values::on_off},
          {"--ssh-agent", "whether it may sign with the keys in your SSH agent (off)", values::on_off},
          {"--display", "a window of its own, or none", values::display}},
         {{values::program, "the program, and what it is given", true, true}},
         run_run,
         "  tacet run firefox-esr\n"
         "  tacet run --keep -- libreoffice letter.odt\n"
         "  tacet run --box shop firefox-esr\n"
         "  tacet run --display none --net off -- sh -c 'make test'",
         true},
        {"session list", "list private sessions", {json}, {}, run_session_list, "  tacet session list"},
        {"session end",
         "end private sessions: their programs are killed",
         {{"--all", "end all of yours"}, json},
         {{values::id, "sessions, as session list shows them", false, true}},
         run_session_end,
         "  tacet session end 3\n"
         "  tacet session end --all"},
    };
    return commands;
}

} // namespace tacet::cli
