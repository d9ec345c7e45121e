// SPDX-License-Identifier: GPL-3.0-or-later
// Files of tests, whole.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace tacet {

// Makes the folders above it, too.
inline void write_file(const std::filesystem::path& path, const std::string& content)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content;
}

// Empty: it is empty or cannot be read.
inline std::string read_file(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace tacet
