// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/lingering_agents.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

namespace tacet {
namespace {

constexpr std::array<std::string_view, 5> agents{"dirmngr", "gpg-agent", "keyboxd", "scdaemon", "ssh-agent"};

bool is_agent(std::string_view process)
{
    std::string name;
    std::getline(std::ifstream("/proc/" + std::string(process) + "/comm"), name);
    return std::ranges::find(agents, name) != agents.end();
}

} // namespace

bool are_lingering_agents(std::string_view processes)
{
    bool any = false;
    while (!processes.empty()) {
        const std::string_view process = processes.substr(0, processes.find('\n'));
        if (!is_agent(process))
            return false;
        any = true;
        processes.remove_prefix(std::min(process.size() + 1, processes.size()));
    }
    return any;
}

} // namespace tacet
