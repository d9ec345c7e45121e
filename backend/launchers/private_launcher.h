// SPDX-License-Identifier: GPL-3.0-or-later
// Menu entries of the person's own that start a program privately. Each has the id of an installed entry, and so stands in its
// place: in menus, for links and for documents. A program that is started in another way, such as by a shell, is not private.
#pragma once

#include <string>
#include <vector>

#include "common/result.h"

namespace tacet {

// The key of an entry that holds what Exec was before.
inline constexpr const char* public_exec_key = "X-Tacet-Exec";

struct PrivateLauncher {
    std::string id;      // of the desktop entry, such as "firefox-esr.desktop"
    std::string name;    // as the menu shows it
    std::string command; // Exec as it was before
};

// program: an entry's id, with or without ".desktop", or the name or path of the program that one entry starts. options: of
// `tacet run`. An entry that was made before gets the new options. NotFound: no entry; InvalidArgument: several, which the
// message names, or one without a command.
Result<PrivateLauncher> always_start_privately(const std::string& program, const std::vector<std::string>& options);
// program: as above. The entry is again as it was. NotFound: it is not started privately.
Result<PrivateLauncher> start_publicly_again(const std::string& program);
// Ordered by id.
std::vector<PrivateLauncher> private_launchers();

} // namespace tacet
