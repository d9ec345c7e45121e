// SPDX-License-Identifier: GPL-3.0-or-later
#include "service/host_names.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "core/rule.h"

namespace tacet {

std::string HostNames::name_of(const std::string& address)
{
    reload();
    const auto found = names_.find(address);
    return found == names_.end() ? address : found->second;
}

void HostNames::reload()
{
    struct stat status{};
    if (stat(path_.c_str(), &status) != 0)
        return;
    if (status.st_mtim.tv_sec == loaded_.tv_sec && status.st_mtim.tv_nsec == loaded_.tv_nsec)
        return;
    loaded_ = status.st_mtim;
    names_.clear();
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string address;
        std::string name;
        if (!(words >> address >> name))
            continue;
        // The same spelling as in rules, so that a rule for the name that is shown matches.
        const auto scope = validate({.subject = {}, .executable = {}, .host = name});
        if (scope)
            names_.emplace(address, scope->host);
    }
}

} // namespace tacet
