// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/process_stat.h"

#include <fcntl.h>
#include <unistd.h>

#include <sstream>

#include "common/unique_fd.h"

namespace tacet {
namespace {

constexpr std::size_t bytes_max = 16 * 1024;

} // namespace

std::string read_process_file(pid_t pid, const char* name)
{
    const UniqueFd fd(open(("/proc/" + std::to_string(pid) + "/" + name).c_str(), O_RDONLY | O_CLOEXEC));
    std::string content(bytes_max, '\0');
    const ssize_t size = fd ? read(fd.get(), content.data(), content.size()) : 0;
    content.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return content;
}

ProcessStat read_stat(pid_t pid)
{
    const std::string content = read_process_file(pid, "stat");
    // The second field is the name, which may hold spaces and parentheses. So the fields are counted from its end.
    const std::size_t name_end = content.rfind(')');
    if (name_end == std::string::npos)
        return {};
    std::istringstream fields(content.substr(name_end + 1));
    std::string state;
    std::string skipped;
    ProcessStat stat;
    fields >> state >> stat.parent;
    for (int field = 5; field < 22; ++field)
        fields >> skipped;
    long long ticks = 0;
    if (fields >> ticks)
        stat.start = std::chrono::nanoseconds(ticks * (1'000'000'000LL / sysconf(_SC_CLK_TCK)));
    return stat;
}

bool is_same_start(BootTime exact, BootTime cut)
{
    const BootTime tick(1'000'000'000LL / sysconf(_SC_CLK_TCK));
    return cut >= BootTime::zero() && exact >= cut && exact < cut + tick;
}

} // namespace tacet
