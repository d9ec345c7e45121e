// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/mount_plan.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

namespace tacet {
namespace {

constexpr std::array fresh{"/proc", "/sys", "/dev", "/run", "/tmp"};
constexpr std::array kernels_own{"autofs",   "binfmt_misc", "bpf",        "cgroup",    "cgroup2", "configfs", "debugfs", "devpts",
                                 "devtmpfs", "efivarfs",    "fusectl",    "hugetlbfs", "mqueue",  "nfsd",     "nsfs",    "proc",
                                 "pstore",   "rpc_pipefs",  "securityfs", "selinuxfs", "sysfs",   "tracefs"};

bool is_below(std::string_view path, std::string_view folder)
{
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_fresh(std::string_view path)
{
    return !is_below(path, "/run/media")
           && std::ranges::any_of(fresh, [&](const char* folder) { return is_below(path, folder); });
}

// Space, tab, newline and backslash are written as three octal digits.
std::string unescape(const std::string& text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escaped = text[i] == '\\' && i + 3 < text.size();
        if (!escaped) {
            plain.push_back(text[i]);
            continue;
        }
        plain.push_back(static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8)));
        i += 3;
    }
    return plain;
}

// "36 35 98:0 /root /point rw,noatime master:1 - ext3 /dev/sda1 rw"
bool parse_line(const std::string& line, std::string& ret_point, std::string& ret_type)
{
    std::istringstream words(line);
    std::string skipped;
    words >> skipped >> skipped >> skipped >> skipped >> ret_point;
    while (words >> skipped && skipped != "-") {
    }
    words >> ret_type;
    return static_cast<bool>(words);
}

} // namespace

std::vector<std::string> plan_mounts(std::string_view mountinfo)
{
    std::set<std::string> points; // ascending: parents come first
    std::istringstream lines{std::string(mountinfo)};
    for (std::string line, point, type; std::getline(lines, line);) {
        if (!parse_line(line, point, type) || std::ranges::find(kernels_own, type) != kernels_own.end())
            continue;
        point = unescape(point);
        if (point != "/" && !is_fresh(point))
            points.insert(point);
    }
    return {points.begin(), points.end()};
}

} // namespace tacet
