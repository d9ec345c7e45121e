// SPDX-License-Identifier: GPL-3.0-or-later
// memory policy, layer, list, add, remove, probe, cost, lifetime: whether memory is cleared that programs no longer need.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <format>
#include <fstream>
#include <iterator>
#include <thread>

#include "cli/authentication.h"
#include "cli/client.h"
#include "cli/commands.h"
#include "cli/lifetime.h"
#include "cli/output.h"
#include "cli/paths.h"
#include "cli/stamp_process.h"
#include "common/heap_reach.h"
#include "contract/methods.h"

namespace tacet::cli {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr std::array places{"heap", "stack", "pages", "pipe", "socket", "file"};
constexpr std::uint64_t day = 86'400;
constexpr std::array<std::uint64_t, 11> moments{0, 1, 5, 60, 600, 3600, day / 4, day, 4 * day, 7 * day, 14 * day};
constexpr std::uint64_t probe_default = 5;
constexpr auto patience_for_others = std::chrono::minutes(5);
// A processor may keep a few freed pages for itself this long.
constexpr auto settling = std::chrono::milliseconds(1500);

// The kernel clears all that it frees if one starts the computer so.
bool does_kernel_clear()
{
    std::ifstream line("/proc/cmdline");
    const std::vector<std::string> words(std::istream_iterator<std::string>(line), {});
    return std::ranges::any_of(words, [](const std::string& word) {
        return word == "init_on_free=1" || word == "init_on_free=on" || word == "init_on_free=y";
    });
}

int print_policy(const Arguments& arguments)
{
    const auto [scope, layers, programs] = Client().memory_policy();
    const bool kernel_clears = does_kernel_clear();
    if (arguments.has("json")) {
        print_json({{"scope", scope}, {"layers", layers}, {"programs", programs}, {"kernel_clears", kernel_clears}});
        return exit_ok;
    }
    print_line("private sessions             cleared");
    print_line("programs with sensitive data " + std::string(scope == "off" ? "not cleared" : "cleared"));
    print_line("chosen programs              "
               + std::string(scope == "chosen" || scope == "everything"
                                 ? "cleared, " + std::to_string(programs.size()) + " of yours"
                                 : "not cleared"));
    print_line("all other programs           " + std::string(scope == "everything" ? "cleared" : "not cleared"));
    print_line("");
    if (kernel_clears)
        print_line("The kernel itself clears all that it frees, by its argument init_on_free=1.");
    else
        print_line(
            "With init_on_free=1 among its arguments the kernel itself would clear all that it frees. Every program would\n"
            "take about as much longer as a chosen one does now (tacet memory cost).");
    return exit_ok;
}

int run_policy(const Arguments& arguments)
{
    if (!arguments.operands().empty()) {
        const TerminalAuthentication authentication;
        Client().call(contract::memory::set_scope, arguments.operands().front());
    }
    return print_policy(arguments);
}

const char* meaning_of(std::string_view layer)
{
    switch (contract::parse_memory_layer(layer).value_or(contract::MemoryLayer::Pages)) {
    case contract::MemoryLayer::Pages:
        return "memory that programs give back, and all of it when they end";
    case contract::MemoryLayer::Buffers:
        return "what the kernel held for them: names, messages, pipes, terminals";
    case contract::MemoryLayer::Stack:
        return "what functions left, of chosen programs, every few seconds";
    case contract::MemoryLayer::Heap:
        return "what chosen programs free for themselves";
    }
    return "";
}

int print_layers(bool as_json)
{
    const Client::MemoryPolicy policy = Client().memory_policy();
    Json list = Json::array();
    Table table({"LAYER", "CLEARED", "WHAT IT IS"});
    for (const std::string_view layer : contract::memory_layer_words) {
        list.push_back({{"layer", layer}, {"cleared", policy.clears(layer)}});
        table.add({std::string(layer), policy.clears(layer) ? "yes" : "no", meaning_of(layer)});
    }
    if (as_json) {
        print_json(list);
        return exit_ok;
    }
    table.print();
    print_line("");
    print_line("In private sessions all of them are cleared.");
    return exit_ok;
}

int run_layer(const Arguments& arguments)
{
    const auto& operands = arguments.operands();
    if (operands.size() == 1)
        throw UsageError("on or off is missing");
    if (operands.size() == 2) {
        if (std::ranges::find(values::switch_words, operands[1]) == values::switch_words.end())
            throw UsageError("neither on nor off: " + operands[1]);
        const TerminalAuthentication authentication;
        Client().call(contract::memory::set_layer, operands[0], operands[1] == "on");
    }
    return print_layers(arguments.has("json"));
}

// What of a program is cleared, if the module is there.
std::string cleared_of(const std::string& program, const Client::MemoryPolicy& policy)
{
    if (!policy.covers_programs())
        return "nothing: the scope is " + policy.scope;
    std::string words;
    for (const std::string_view layer : contract::memory_layer_words) {
        if (policy.clears(layer) && (layer != "heap" || is_heap_reached(program)))
            words += (words.empty() ? "" : ", ") + std::string(layer);
    }
    return words.empty() ? "nothing: the layers are off" : words;
}

int run_list(const Arguments& arguments)
{
    const Client::MemoryPolicy policy = Client().memory_policy();
    const auto& programs = policy.programs;
    if (arguments.has("json")) {
        print_json(programs);
        return exit_ok;
    }
    Table table({"PROGRAM", "CLEARED"});
    for (const std::string& program : programs)
        table.add({program, cleared_of(program, policy)});
    table.print();
    return exit_ok;
}

bool is_script(const std::string& path)
{
    std::array<char, 2> head{};
    return std::ifstream(path, std::ios::binary).read(head.data(), head.size()) && head == std::array{'#', '!'};
}

int tell(const Arguments& arguments, const std::string& path, const std::string& what)
{
    if (arguments.has("json"))
        print_json({{"program", path}});
    else
        print_line(path + what);
    return exit_ok;
}

int run_add(const Arguments& arguments)
{
    const std::string path = find_program(arguments.operands().front());
    if (is_script(path))
        throw UsageError(path + " is a script; choose the program that it starts");
    Client client;
    client.call(contract::memory::add_program, path);
    const std::string cleared = cleared_of(path, client.memory_policy());
    const char* since = cleared.ends_with("heap") ? " (the heap from its next start on)" : "";
    return tell(arguments, path, " is chosen. Cleared: " + cleared + since);
}

// A chosen program may be gone by now.
std::string find_chosen(const std::string& word)
{
    const auto programs = Client().memory_policy().programs;
    return std::ranges::find(programs, word) != programs.end() ? word : find_program(word);
}

int run_remove(const Arguments& arguments)
{
    const std::string path = find_chosen(arguments.operands().front());
    const TerminalAuthentication authentication;
    Client().call(contract::memory::remove_program, path);
    return tell(arguments, path, ": no longer chosen, from its next start on");
}

// A program that has freed its stamps, and how many of them there were at each moment.
struct Row {
    const char* place;
    bool chosen;
    std::uint64_t tag;
    std::vector<std::uint64_t> counts;
};

// One count at a time is under way, so that it waits for that of another person.
std::vector<std::uint64_t> count_stamps(Client& client, const std::vector<std::uint64_t>& tags)
{
    const auto until = steady_clock::now() + patience_for_others;
    while (true) {
        try {
            return client.fetch<std::vector<std::uint64_t>>(contract::memory::count_stamps, tags);
        } catch (const sdbus::Error& error) {
            if (error.getName() != contract::error_name(contract::ErrorCode::TooMany) || steady_clock::now() > until)
                throw;
        }
        std::this_thread::sleep_for(seconds(1));
    }
}

void count(Client& client, std::vector<Row>& rows)
{
    std::vector<std::uint64_t> tags;
    tags.reserve(rows.size());
    for (const Row& row : rows)
        tags.push_back(row.tag);
    const auto counts = count_stamps(client, tags);
    for (std::size_t index = 0; index < rows.size(); ++index)
        rows[index].counts.push_back(counts.at(index));
    explicit_bzero(tags.data(), tags.size() * sizeof(tags.front()));
}

std::string moment_name(std::uint64_t moment)
{
    if (moment < 60)
        return std::to_string(moment) + " s";
    if (moment < 3600)
        return std::to_string(moment / 60) + " min";
    return moment < 86'400 ? std::to_string(moment / 3600) + " h" : std::to_string(moment / 86'400) + " d";
}

void print_rows(const std::vector<Row>& rows, const std::vector<std::string>& heads, bool json)
{
    if (json) {
        Json list = Json::array();
        for (const Row& row : rows) {
            Json counts = Json::object();
            for (std::size_t index = 0; index < heads.size(); ++index)
                counts[heads[index]] = row.counts[index];
            list.push_back({{"place", row.place}, {"chosen", row.chosen}, {"left", std::move(counts)}});
        }
        print_json(list);
        return;
    }
    std::vector<std::string> head{"FREED IN", "BY A PROGRAM"};
    head.insert(head.end(), heads.begin(), heads.end());
    Table table(head);
    for (const Row& row : rows) {
        std::vector<std::string> cells{row.place, row.chosen ? "that is chosen" : "like any other"};
        for (const std::uint64_t number : row.counts)
            cells.push_back(std::to_string(number));
        table.add(cells);
    }
    table.print();
}

// What was counted last.
void print_moment(const std::vector<Row>& rows, const std::string& head, std::uint64_t seconds_passed)
{
    Json left = Json::array();
    for (const Row& row : rows)
        left.push_back({{"place", row.place}, {"chosen", row.chosen}, {"count", row.counts.back()}});
    print_line(Json{{"moment", head}, {"seconds", seconds_passed}, {"left", std::move(left)}}.dump());
    if (!finish_output())
        throw std::runtime_error("nobody reads what is printed");
}

int run_probe(const Arguments& arguments)
{
    const bool live = arguments.has("live");
    const std::uint64_t last = arguments.number("for", moments.back()).value_or(probe_default);
    Client client;
    const auto tags =
        client.fetch<std::vector<std::uint64_t>>(contract::memory::make_tags, static_cast<std::uint32_t>(2 * places.size()));
    std::vector<Row> rows;
    std::vector<StampProcess> processes;
    for (const bool chosen : {false, true}) {
        for (const char* place : places) {
            rows.push_back({place, chosen, tags.at(rows.size()), {}});
            processes.emplace_back(place, rows.back().tag, chosen);
        }
    }
    // All are filled before one frees, so that none uses again what another freed.
    for (StampProcess& process : processes)
        process.free_stamps();
    std::vector<std::string> heads;
    const auto began = steady_clock::now();
    for (const std::uint64_t moment : moments) {
        if (moment > last)
            break;
        std::this_thread::sleep_until(began + seconds(moment));
        count(client, rows);
        heads.push_back(moment_name(moment));
        if (live)
            print_moment(rows, heads.back(), moment);
    }
    std::this_thread::sleep_until(began + seconds(last));
    for (StampProcess& process : processes)
        process.end();
    std::this_thread::sleep_for(settling);
    count(client, rows);
    heads.emplace_back("ended");
    if (live)
        print_moment(rows, heads.back(), last);
    else
        print_rows(rows, heads, arguments.has("json"));
    return exit_ok;
}

// A kind of work, and the processor time that it takes a program like any other, and one that is chosen. In microseconds.
struct Cost {
    const char* kind;
    std::uint64_t other = 0;
    std::uint64_t chosen = 0;
};

std::uint64_t median(std::vector<std::uint64_t> numbers)
{
    std::ranges::sort(numbers);
    return numbers.at(numbers.size() / 2);
}

Cost measure_cost(const char* kind)
{
    constexpr int rounds = 5;
    std::vector<std::uint64_t> other;
    std::vector<std::uint64_t> chosen;
    for (int round = 0; round < rounds; ++round) {
        other.push_back(measure_work(kind, false));
        chosen.push_back(measure_work(kind, true));
    }
    return {kind, median(other), median(chosen)};
}

int run_cost(const Arguments& arguments)
{
    Json list = Json::array();
    Table table({"WORK", "LIKE ANY OTHER", "CHOSEN", "MORE"});
    for (const char* kind : {"heap", "pages", "processes", "pipe", "files"}) {
        const Cost cost = measure_cost(kind);
        const double ratio = static_cast<double>(cost.chosen) / static_cast<double>(std::max<std::uint64_t>(cost.other, 1));
        list.push_back({{"work", kind}, {"other_us", cost.other}, {"chosen_us", cost.chosen}});
        table.add({kind, std::format("{:.1f} ms", static_cast<double>(cost.other) / 1000),
                   std::format("{:.1f} ms", static_cast<double>(cost.chosen) / 1000),
                   std::format("{:+.0f}%", (ratio - 1) * 100)});
    }
    if (arguments.has("json"))
        print_json(list);
    else
        table.print();
    return exit_ok;
}

} // namespace

std::span<const Command> memory_commands()
{
    static const Operand program{values::program, "its path, or its name in PATH"};
    static const std::vector<Command> commands{
        {"memory policy",
         "tell or say whose memory is cleared when it is freed",
         {json},
         {{values::memory_scope,
           "off: private sessions only; sensitive: programs with sensitive data, too; chosen: chosen programs, too; everything",
           false}},
         run_policy,
         "  tacet memory policy\n"
         "  tacet memory policy everything"},
        {"memory layer",
         "tell or say which memory of programs is cleared",
         {json},
         {{values::memory_layer, "pages, buffers of the kernel, stack or heap", false},
          {values::on_off, "whether it is cleared", false}},
         run_layer,
         "  tacet memory layer\n"
         "  tacet memory layer heap off"},
        {"memory list", "list your chosen programs", {json}, {}, run_list, "  tacet memory list"},
        {"memory add",
         "choose a program: what it frees is cleared",
         {json},
         {program},
         run_add,
         "  tacet memory add gpg-agent\n"
         "  tacet memory add /usr/lib/thunderbird/thunderbird"},
        {"memory remove", "choose a program no longer", {json}, {program}, run_remove, "  tacet memory remove gpg-agent"},
        {"memory probe",
         "show how long freed data stays in this computer's memory",
         {{"--for", "how long to look, up to 14 days (5)", values::seconds},
          {"--live", "print each moment when it comes, one JSON value a line"},
          json},
         {},
         run_probe,
         "  tacet memory probe\n"
         "  tacet memory probe --for 3600"},
        {"memory cost",
         "measure what it costs a program here that its memory is cleared",
         {json},
         {},
         run_cost,
         "  tacet memory cost"},
        {"memory lifetime",
         "show how long data lives on a program's heap, by Valgrind",
         {json},
         {{values::program, "the program, and what it is given", true, true}},
         run_lifetime,
         "  tacet memory lifetime -- ls -l\n"
         "  tacet memory lifetime -- python3 program.py",
         true},
    };
    return commands;
}

} // namespace tacet::cli
