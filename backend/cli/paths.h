// SPDX-License-Identifier: GPL-3.0-or-later
// The files and programs that the words of the command line name. All throw UsageError.
#pragma once

#include <string>

namespace tacet::cli {

// As the person wrote it, from the root on; links on the way stay.
std::string absolute_path(const std::string& word);
// As the kernel knows it, as far as there are such folders: without links. A rule compares it. It is UTF-8.
std::string real_path(const std::string& word);
// A program by its path, or by its name in PATH, as the kernel knows it.
std::string find_program(const std::string& word);

} // namespace tacet::cli
