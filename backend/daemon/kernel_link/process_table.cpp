// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/kernel_link/process_table.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "common/unique_fd.h"

namespace tacet {
namespace {

constexpr std::size_t command_bytes_max = 16 * 1024;
constexpr std::size_t command_words_max = 256;
constexpr int ancestors_max = 32;
// These programs only run the commands that they are given. The person used the program that started them.
constexpr std::array<std::string_view, 20> runners{"bash", "csh",   "dash",    "doas",  "env",    "fish", "ksh",
                                                   "nice", "nohup", "pkexec",  "sh",    "setsid", "su",   "sudo",
                                                   "tcsh", "time",  "timeout", "watch", "xargs",  "zsh"};

std::string directory_of(pid_t pid)
{
    return "/proc/" + std::to_string(pid);
}

std::string read_bounded(const std::string& path)
{
    const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string content(command_bytes_max, '\0');
    const ssize_t size = fd ? read(fd.get(), content.data(), content.size()) : 0;
    content.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return content;
}

struct Stat {
    pid_t parent = 0;
    BootTime start{-1};
};

Stat read_stat(pid_t pid)
{
    const std::string content = read_bounded(directory_of(pid) + "/stat");
    // The second field is the name, which may hold spaces and parentheses. So the fields are counted from its end.
    const std::size_t name_end = content.rfind(')');
    if (name_end == std::string::npos)
        return {};
    std::istringstream fields(content.substr(name_end + 1));
    std::string state;
    std::string skipped;
    Stat stat;
    fields >> state >> stat.parent;
    for (int field = 5; field < 22; ++field)
        fields >> skipped;
    long long ticks = 0;
    if (fields >> ticks)
        stat.start = std::chrono::nanoseconds(ticks * (1'000'000'000LL / sysconf(_SC_CLK_TCK)));
    return stat;
}

// The kernel's time is exact, and the time in /proc is cut to ticks.
bool is_same_start(BootTime exact, BootTime cut)
{
    const BootTime tick(1'000'000'000LL / sysconf(_SC_CLK_TCK));
    return cut >= BootTime::zero() && exact >= cut && exact < cut + tick;
}

std::vector<std::string> split_command(const std::string& content)
{
    std::vector<std::string> words;
    for (std::size_t start = 0; start < content.size() && words.size() < command_words_max;) {
        const std::size_t end = std::min(content.find('\0', start), content.size());
        words.push_back(content.substr(start, end - start));
        start = end + 1;
    }
    return words;
}

std::string fingerprint_of(const std::string& executable)
{
    struct stat status{};
    if (stat(executable.c_str(), &status) != 0)
        return {};
    std::ostringstream text;
    text << status.st_dev << ':' << status.st_ino << ':' << status.st_size << ':' << status.st_mtim.tv_sec << '.'
         << status.st_mtim.tv_nsec << ':' << status.st_ctim.tv_sec << '.' << status.st_ctim.tv_nsec;
    return text.str();
}

std::string read_line(const std::string& path)
{
    std::string line = read_bounded(path);
    if (line.ends_with('\n'))
        line.pop_back();
    return line;
}

// Returns the name of the nearest ancestor that is no runner, such as a terminal or a file manager. If systemd started the
// runners, it returns the parent's name.
std::string starter_of(pid_t parent)
{
    std::string first;
    for (int count = 0; parent > 0 && count < ancestors_max; ++count) {
        const std::string name = read_line(directory_of(parent) + "/comm");
        if (first.empty())
            first = name;
        if (name == "systemd")
            return first;
        if (std::ranges::find(runners, name) == runners.end())
            return name;
        parent = read_stat(parent).parent;
    }
    return first;
}

} // namespace

ProcessFacts ProcProcessTable::inspect(const ProcessIdentity& process)
{
    const std::string directory = directory_of(process.pid);
    ProcessFacts facts;
    facts.command = split_command(read_bounded(directory + "/cmdline"));
    facts.fingerprint = fingerprint_of(directory + "/exe");
    const Stat stat = read_stat(process.pid);
    facts.parent = starter_of(stat.parent);
    // This is checked last, so that it held for all that was read before.
    if (!is_same_start(process.start, stat.start))
        return {};
    return facts;
}

bool ProcProcessTable::is_alive(const ProcessIdentity& process)
{
    return is_same_start(process.start, read_stat(process.pid).start);
}

} // namespace tacet
