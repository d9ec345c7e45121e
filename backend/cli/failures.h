// SPDX-License-Identifier: GPL-3.0-or-later
// What went wrong, for a person and for scripts.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <sdbus-c++/sdbus-c++.h>

#include "cli/arguments.h"
#include "cli/exit_code.h"

namespace tacet::cli {

// The daemon is not there, as opposed to having refused.
bool means_absent(const sdbus::Error& error);
// It may be there, and has not answered.
bool means_timeout(const sdbus::Error& error);

std::string message_of(const sdbus::Error& error);
int exit_code_of(const sdbus::Error& error);
// name: of a D-Bus error that the daemon answered with.
int exit_code_of(std::string_view name);

// On standard error, and as JSON where that was asked for.
void print_failure(bool json, std::string_view name, std::string_view message);

// Does the same with each id among the operands. After a failure it goes on with the others, and it tells what became of each.
// noun, done: as in "rule", "removed". Throws the failure of a single id.
int run_each(const Arguments& arguments, const char* noun, const char* done, const std::function<void(std::uint64_t id)>& act);

} // namespace tacet::cli
