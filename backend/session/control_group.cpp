// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/control_group.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string_view>
#include <thread>

namespace tacet {
namespace {

constexpr auto kill_patience = std::chrono::seconds(1);

Error failure(const std::string& what)
{
    return {ErrorCode::Failed, what + ": " + std::strerror(errno)};
}

Result<UniqueFd> make_group(const std::string& parent, const char* name)
{
    const std::string path = parent + "/" + name;
    if (mkdir(path.c_str(), 0755) != 0 && errno != EEXIST)
        return failure("no control group");
    UniqueFd group(open((path + "/cgroup.procs").c_str(), O_RDWR | O_CLOEXEC));
    return group ? Result<UniqueFd>(std::move(group)) : failure("no control group");
}

UniqueFd open_events(const std::string& group)
{
    return UniqueFd(open((group + "/cgroup.events").c_str(), O_RDONLY | O_CLOEXEC));
}

} // namespace

Result<std::string> own_group()
{
    std::string line;
    std::getline(std::ifstream("/proc/self/cgroup"), line);
    if (!line.starts_with("0::/"))
        return Error{ErrorCode::Failed, "no unified control groups"};
    return "/sys/fs/cgroup" + line.substr(3);
}

Result<Groups> make_groups(const std::string& own)
{
    auto programs = make_group(own, "programs");
    auto helpers = make_group(own, "helpers");
    UniqueFd events = open_events(own + "/programs");
    if (!programs || !helpers || !events)
        return programs ? helpers ? failure("no control group events") : helpers.error() : programs.error();
    return Groups{std::move(*programs), std::move(*helpers), std::move(events)};
}

bool has_processes(int events)
{
    std::array<char, 256> text{};
    const ssize_t size = pread(events, text.data(), text.size() - 1, 0);
    return size <= 0 || std::string_view(text.data()).find("populated 1") != std::string_view::npos;
}

void kill_helpers(const std::string& own)
{
    const std::string group = own + "/helpers";
    const UniqueFd events = open_events(group);
    const UniqueFd all(open((group + "/cgroup.kill").c_str(), O_WRONLY | O_CLOEXEC));
    if (!all || write(all.get(), "1", 1) != 1)
        return;
    const auto deadline = std::chrono::steady_clock::now() + kill_patience;
    while (has_processes(events.get()) && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

} // namespace tacet
