// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/lifetime.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <format>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "cli/output.h"
#include "common/argument_vector.h"
#include "common/unique_fd.h"

namespace tacet::cli {
namespace {

constexpr const char* valgrind = "/usr/bin/valgrind";

// Bytes, and the mean and the standard deviation of their times in microseconds.
struct Lifetime {
    std::uint64_t bytes = 0;
    std::uint64_t mean = 0;
    std::uint64_t deviation = 0;
};

// What the tool wrote of one process; backend/lifetime/tool.c has the order.
struct Process {
    std::string program;
    std::uint64_t pid = 0;
    std::uint64_t milliseconds = 0;
    std::uint64_t allocated = 0;
    std::uint64_t unwritten = 0;
    Lifetime ideal;
    Lifetime secure;
    Lifetime natural;
    std::uint64_t in_use = 0;
    std::uint64_t given_back = 0;
    std::uint64_t left = 0;
};

std::istream& operator>>(std::istream& from, Lifetime& lifetime)
{
    return from >> lifetime.bytes >> lifetime.mean >> lifetime.deviation;
}

std::vector<Process> read_processes(const std::string& path)
{
    std::ifstream file(path);
    std::vector<Process> found;
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        Process process;
        std::getline(words, process.program, '\t');
        words >> process.pid >> process.milliseconds >> process.allocated >> process.unwritten >> process.ideal >> process.secure
            >> process.natural >> process.in_use >> process.given_back >> process.left;
        if (!words)
            throw std::runtime_error("Valgrind's tool has written a line that is not understood: " + line);
        found.push_back(std::move(process));
    }
    return found;
}

Json to_json(const Lifetime& lifetime)
{
    return {{"bytes", lifetime.bytes}, {"mean_us", lifetime.mean}, {"deviation_us", lifetime.deviation}};
}

Json to_json(const Process& process)
{
    return {{"program", process.program},
            {"pid", process.pid},
            {"ran_ms", process.milliseconds},
            {"allocated", process.allocated},
            {"unwritten", process.unwritten},
            {"ideal", to_json(process.ideal)},
            {"secure", to_json(process.secure)},
            {"natural", to_json(process.natural)},
            {"in_use", process.in_use},
            {"given_back", process.given_back},
            {"left", process.left}};
}

std::string time_text(std::uint64_t microseconds)
{
    constexpr double milli = 1e3;
    constexpr double second = 1e6;
    const auto time = static_cast<double>(microseconds);
    return time < second ? std::format("{:.1f} ms", time / milli) : std::format("{:.1f} s", time / second);
}

std::string lifetime_text(const Lifetime& lifetime)
{
    return lifetime.bytes == 0 ? "-" : time_text(lifetime.mean) + " ±" + time_text(lifetime.deviation);
}

std::string share_text(std::uint64_t part, std::uint64_t whole)
{
    constexpr double percent = 100;
    return whole == 0 ? "-" : std::format("{:.0f}%", percent * static_cast<double>(part) / static_cast<double>(whole));
}

void print_table(const std::vector<Process>& processes)
{
    Table table({"PROGRAM", "RAN", "WRITTEN", "NEEDED", "UNTIL FREED", "UNTIL OVERWRITTEN", "NEVER OVERWRITTEN"});
    for (const Process& process : processes) {
        table.add({std::filesystem::path(process.program).filename().string(), time_text(process.milliseconds * 1000),
                   size_text(process.ideal.bytes), lifetime_text(process.ideal), lifetime_text(process.secure),
                   lifetime_text(process.natural), share_text(process.left, process.secure.bytes)});
    }
    table.print();
    print_line("");
    print_line(
        "The times are those of a byte on the heap, from its first write: to its last use, until it was freed, and until it was");
    print_line("overwritten after that; mean and standard deviation. The last column is the share of what was freed. Valgrind "
               "makes the");
    print_line("program many times slower, so compare the times with each other.");
}

// A program of its own, whose signals from the keyboard are no matter of this process.
int run(std::vector<std::string>& words)
{
    pid_t child = -1;
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGQUIT, SIG_IGN);
    posix_spawnattr_t attributes{};
    sigset_t defaults{};
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGQUIT);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const int error = posix_spawn(&child, valgrind, nullptr, &attributes, argument_vector(words).data(), environ);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
        throw std::runtime_error(std::string(valgrind) + ": " + std::strerror(error));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    constexpr int signalled = 128;
    return WIFSIGNALED(status) ? signalled + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace

int run_lifetime(const Arguments& arguments)
{
    if (access(valgrind, X_OK) != 0)
        throw std::runtime_error("Valgrind is needed for this, from the package valgrind");
    const UniqueFd lines(memfd_create("lifetimes", MFD_CLOEXEC));
    if (!lines)
        throw std::runtime_error(std::string("memory for the result: ") + std::strerror(errno));
    const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(lines.get());
    std::vector<std::string> words{valgrind, "--tool=lifetime", "-q", "--trace-children=yes", "--lifetime-file=" + path};
    words.insert(words.end(), arguments.operands().begin(), arguments.operands().end());
    setenv("VALGRIND_LIB", TACET_LIBEXECDIR "/lifetime", 1);
    const int status = run(words);
    const auto processes = read_processes(path);
    if (arguments.has("json")) {
        Json list = Json::array();
        for (const Process& process : processes)
            list.push_back(to_json(process));
        print_json(list);
    } else {
        print_table(processes);
    }
    return status;
}

} // namespace tacet::cli
