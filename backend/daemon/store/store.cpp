// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/store/store.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tacet {
namespace {

constexpr const char* damaged_prefix = "tacet.db.damaged-";
constexpr std::size_t salvaged_max = 1'000'000;

Result<Database> open_migrated(const std::string& path, std::span<const Migration> steps)
{
    auto database = Database::open(path);
    if (!database)
        return database;
    if (auto verified = database->verify(); !verified)
        return verified.error();
    if (auto migrated = migrate(*database, steps); !migrated)
        return migrated.error();
    return database;
}

std::string find_damaged(const std::string& directory)
{
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
        if (entry.path().filename().string().starts_with(damaged_prefix))
            return entry.path().string();
    }
    return {};
}

Result<std::string> set_aside(const std::string& directory)
{
    std::string target;
    for (int number = 1; target.empty() || std::filesystem::exists(target); ++number)
        target = directory + "/" + damaged_prefix + std::to_string(number);
    const std::string source = directory + "/tacet.db";
    if (std::rename(source.c_str(), target.c_str()) != 0)
        return Error{ErrorCode::Failed, "cannot set the store aside: " + std::string(std::strerror(errno))};
    for (const char* suffix : {"-wal", "-shm"})
        static_cast<void>(std::rename((source + suffix).c_str(), (target + suffix).c_str()));
    return target;
}

// Reads until the first damaged page. The result is only a list of names to look at.
std::vector<std::string> salvage_paths(const std::string& path)
{
    std::vector<std::string> paths;
    auto database = Database::open(path);
    if (!database)
        return paths;
    Statement query = database->prepare("SELECT path FROM file");
    while (paths.size() < salvaged_max && query.step())
        paths.push_back(query.text());
    return paths;
}

bool is_unusable(const Error& error)
{
    return error.code != ErrorCode::DiskFull;
}

} // namespace

Result<Store> open_store(const std::string& directory, std::span<const Migration> steps)
{
    const std::string path = directory + "/tacet.db";
    auto database = open_migrated(path, steps);
    std::vector<std::string> salvaged;
    if (!database && is_unusable(database.error()) && std::filesystem::exists(path)) {
        const auto target = set_aside(directory);
        if (!target)
            return target.error();
        salvaged = salvage_paths(*target);
        database = open_migrated(path, steps);
    }
    if (!database)
        return database.error();
    const std::string damaged = find_damaged(directory);
    return Store{std::move(*database), damaged.empty() ? "" : "a store that could not be used lies in " + damaged,
                 std::move(salvaged)};
}

} // namespace tacet
