// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/names/host_names.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "daemon/core/rule.h"

namespace tacet {

HostNames::Names HostNames::names_of(const std::string& address)
{
    reload();
    const auto local = local_.find(address);
    if (local != local_.end())
        return {local->second, {}, true};
    LearnedNames::Found found = learned_.find(address);
    std::string shown = found.names.empty() ? address : found.names.front();
    return {std::move(shown), std::move(found.names), found.complete};
}

bool HostNames::learn(const LearnedName& learned)
{
    reload();
    // A name in /etc/hosts belongs to no other machine, whatever the network says.
    if (local_.contains(learned.address) || local_names_.contains(learned.name))
        return false;
    return learned_.learn(learned);
}

void HostNames::reload()
{
    struct stat status{};
    if (stat(path_.c_str(), &status) != 0)
        return;
    if (status.st_mtim.tv_sec == loaded_.tv_sec && status.st_mtim.tv_nsec == loaded_.tv_nsec)
        return;
    loaded_ = status.st_mtim;
    local_.clear();
    local_names_.clear();
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string address;
        words >> address;
        for (std::string name; words >> name;) {
            // Names have the same spelling here as in rules, so that a rule for the name that is shown matches.
            const auto scope = validate({.subject = {}, .executable = {}, .host = name});
            if (!scope)
                continue;
            local_.emplace(address, scope->host);
            local_names_.insert(scope->host);
        }
    }
}

} // namespace tacet
