// SPDX-License-Identifier: GPL-3.0-or-later
// Names of addresses, from /etc/hosts: the one source that is local, immediate and root's own.
#pragma once

#include <ctime>
#include <map>
#include <string>

namespace tacet {

class HostNames {
public:
    explicit HostNames(std::string path = "/etc/hosts") : path_(std::move(path)) {}

    // The first name of the address, else the address itself.
    std::string name_of(const std::string& address);

private:
    void reload();

    std::string path_;
    timespec loaded_{};
    std::map<std::string, std::string> names_;
};

} // namespace tacet
