// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/paths.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "cli/arguments.h"
#include "common/text.h"

namespace tacet::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* usual_path = "/usr/local/bin:/usr/bin:/bin";

bool is_program(const fs::path& path)
{
    constexpr fs::perms any_exec = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    return fs::is_regular_file(status) && (status.permissions() & any_exec) != fs::perms::none;
}

// Relative folders in PATH are not searched: a rule must not depend on where it is made.
fs::path search(const std::string& name)
{
    const char* variable = std::getenv("PATH");
    std::istringstream folders(variable != nullptr ? variable : usual_path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (folder.starts_with('/') && is_program(fs::path(folder) / name))
            return fs::path(folder) / name;
    }
    throw UsageError("no program \"" + name + "\" in PATH; give its path");
}

std::string checked(const fs::path& path)
{
    if (!is_utf8(path.string()))
        throw UsageError("a rule cannot name a path that is not UTF-8: " + path.string());
    return path.string();
}

} // namespace

std::string absolute_path(const std::string& word)
{
    if (word.empty())
        throw UsageError("an empty word names no file");
    const fs::path path = fs::absolute(word);
    // ".." after a link leads elsewhere than the text says.
    std::error_code failure;
    const bool climbs = std::find(path.begin(), path.end(), "..") != path.end();
    const fs::path resolved = climbs ? fs::weakly_canonical(path, failure) : fs::path();
    return climbs && !failure ? resolved.string() : path.lexically_normal().string();
}

std::string real_path(const std::string& word)
{
    const fs::path path = absolute_path(word);
    std::error_code failure;
    const fs::path resolved = fs::weakly_canonical(path, failure);
    return checked(failure ? path : resolved);
}

std::string find_program(const std::string& word)
{
    const fs::path path = word.find('/') == std::string::npos ? search(word) : fs::path(word);
    std::error_code failure;
    const fs::path resolved = fs::canonical(path, failure);
    if (failure)
        throw UsageError("no such program: " + word + ": " + failure.message());
    if (!is_program(resolved))
        throw UsageError("not a program: " + resolved.string());
    return checked(resolved);
}

} // namespace tacet::cli
