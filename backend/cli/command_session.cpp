// SPDX-License-Identifier: GPL-3.0-or-later
// run; session list, end
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <iostream>
#include <limits>

#include "cli/client.h"
#include "cli/commands.h"
#include "cli/desktop.h"
#include "cli/output.h"
#include "cli/private_display.h"
#include "util/channel.h"

extern char** environ;

namespace tacet::cli {
namespace {

constexpr int exit_not_started = 125; // as env(1), timeout(1) and their like
constexpr int exit_killed = 137;

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
    const std::string program = std::filesystem::path(arguments.positional().front()).filename().string();
    return std::make_unique<PrivateDisplay>(arguments.value("name").value_or(program));
}

Dictionary make_options(const Arguments& arguments, const PrivateDisplay* display)
{
    Dictionary options{{"network", sdbus::Variant(is_on(arguments, "net", true))},
                       {"audio", sdbus::Variant(is_on(arguments, "audio", false))}};
    if (const auto size = arguments.value("size"))
        options["size"] = sdbus::Variant(read_size(*size));
    if (display != nullptr) {
        options["display"] = sdbus::Variant(display->address());
        options["cookie"] = sdbus::Variant(display->cookie());
    }
    return options;
}

void serve_clipboard(PrivateDisplay& display, std::uint64_t session)
{
    try {
        display.serve(session);
    } catch (const std::runtime_error& error) {
        print_error(std::string("no text can be pasted into this session: ") + error.what());
    }
}

UniqueFd take_signals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        sigaddset(&signals, number);
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    return UniqueFd(signalfd(-1, &signals, SFD_CLOEXEC));
}

void pass_signal_on(const UniqueFd& channel, const UniqueFd& signals)
{
    signalfd_siginfo signal{};
    if (read(signals.get(), &signal, sizeof(signal)) == sizeof(signal))
        static_cast<void>(send_message(channel.get(), "signal " + std::to_string(signal.ssi_signo)));
}

// A session without its window is of no use, and nobody would see it: its program is asked to end.
void serve_display(const UniqueFd& channel, std::unique_ptr<PrivateDisplay>& display)
{
    display->handle_events();
    if (!display->is_gone())
        return;
    static_cast<void>(send_message(channel.get(), "signal " + std::to_string(SIGTERM)));
    display.reset();
}

void take_status(std::string_view text, int& status)
{
    constexpr std::string_view exit = "exit ";
    constexpr std::string_view failed = "failed ";
    if (text.starts_with(exit))
        std::from_chars(text.data() + exit.size(), text.data() + text.size(), status);
    if (text.starts_with(failed)) {
        print_error(std::string(text.substr(failed.size())));
        status = exit_not_started;
    }
    if (text == "notice module-absent")
        print_error("the kernel module is not loaded: this session does not swap, what it frees is not cleared, and your other "
                    "programs can look into it");
}

// Until the session is over. Returns the exit status.
int follow(const UniqueFd& channel, const UniqueFd& signals, std::unique_ptr<PrivateDisplay> display)
{
    int status = exit_killed;
    for (;;) {
        const int windows = display ? display->file() : -1;
        std::array<pollfd, 3> files{{{channel.get(), POLLIN, 0}, {signals.get(), POLLIN, 0}, {windows, POLLIN, 0}}};
        poll(files.data(), files.size(), -1);
        if (files[1].revents != 0)
            pass_signal_on(channel, signals);
        if (files[2].revents != 0)
            serve_display(channel, display);
        if (files[0].revents == 0)
            continue;
        const auto message = receive_message(channel.get());
        if (!message || message->text.empty())
            return status;
        take_status(message->text, status);
    }
}

} // namespace

int run_run(const Arguments& arguments)
{
    arguments.expect(1, SIZE_MAX);
    auto channel = make_channel();
    if (!channel)
        throw std::runtime_error(channel.error().message);
    auto display = open_display(arguments);
    const UniqueFd signals = take_signals();
    const std::uint64_t id = Client().start_session(
        arguments.positional(), own_environment(), std::filesystem::current_path().string(),
        {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, channel->second.get()}, make_options(arguments, display.get()));
    channel->second = UniqueFd();
    if (display)
        serve_clipboard(*display, id);
    return follow(channel->first, signals, std::move(display));
}

int run_session_list(const Arguments& arguments)
{
    arguments.expect(0, 0);
    const Json sessions = to_json(Client().sessions());
    if (arguments.has("json")) {
        print_json(sessions);
        return exit_ok;
    }
    Table table({"ID", "APPLICATION", "SINCE", "STATE", "STORE", "MEMORY", "SWAP", "NETWORK"});
    for (const Json& session : sessions)
        table.add({std::to_string(session["id"].get<std::uint64_t>()), session["application"],
                   local_time(session["since"].get<std::uint64_t>()), session["state"],
                   size_text(session["store"].get<std::uint64_t>()), size_text(session["memory"].get<std::uint64_t>()),
                   size_text(session["swap"].get<std::uint64_t>()), session["network"] ? "yes" : "no"});
    if (!table.empty())
        table.print();
    return exit_ok;
}

int run_session_end(const Arguments& arguments)
{
    const bool all = arguments.has("all");
    arguments.expect(all ? 0 : 1, all ? 0 : SIZE_MAX);
    Client client;
    if (all)
        client.end_all_sessions();
    for (const std::string& word : arguments.positional())
        client.end_session(to_number(word, UINT64_MAX));
    if (arguments.has("json"))
        print_json(Json::object());
    return exit_ok;
}

} // namespace tacet::cli
