// SPDX-License-Identifier: GPL-3.0-or-later
#include "lookup/process_lookup.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "common/process_stat.h"

namespace tacet::lookup {
namespace {

constexpr std::size_t command_words_max = 256;
constexpr int ancestors_max = 32;
// These programs only run the commands that they are given. The person used the program that started them.
constexpr std::array<std::string_view, 20> runners{"bash", "csh",   "dash",    "doas",  "env",    "fish", "ksh",
                                                   "nice", "nohup", "pkexec",  "sh",    "setsid", "su",   "sudo",
                                                   "tcsh", "time",  "timeout", "watch", "xargs",  "zsh"};

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

std::string fingerprint_of(pid_t pid)
{
    struct stat status{};
    if (stat(("/proc/" + std::to_string(pid) + "/exe").c_str(), &status) != 0)
        return {};
    std::ostringstream text;
    text << status.st_dev << ':' << status.st_ino << ':' << status.st_size << ':' << status.st_mtim.tv_sec << '.'
         << status.st_mtim.tv_nsec << ':' << status.st_ctim.tv_sec << '.' << status.st_ctim.tv_nsec;
    return text.str();
}

std::string name_of(pid_t pid)
{
    std::string line = read_process_file(pid, "comm");
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
        const std::string name = name_of(parent);
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

ProcessFacts inspect(pid_t pid, BootTime start)
{
    ProcessFacts facts;
    facts.command = split_command(read_process_file(pid, "cmdline"));
    facts.fingerprint = fingerprint_of(pid);
    const ProcessStat stat = read_stat(pid);
    facts.parent = starter_of(stat.parent);
    // This is checked last, so that it held for all that was read before.
    if (!is_same_start(start, stat.start))
        return {};
    return facts;
}

} // namespace tacet::lookup
