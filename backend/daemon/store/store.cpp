// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/store/store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "common/text.h"
#include "common/unique_fd.h"
#include "daemon/store/salvage.h"
#include "daemon/store/seal.h"

namespace tacet {
namespace {

constexpr const char* damaged_prefix = "tacet.db.damaged-";
constexpr std::array<const char*, 2> companions{"-wal", "-shm"};

Error damaged(std::string message)
{
    return {ErrorCode::StoreDamaged, std::move(message)};
}

bool is_full(const Error& error)
{
    return error.code == ErrorCode::DiskFull;
}

std::string path_in(const std::string& directory)
{
    return directory + "/tacet.db";
}

// The first daemon makes this folder, after its store.
bool was_used_before(const std::string& directory)
{
    return std::filesystem::exists(directory + "/shadow");
}

// If the disk has changed the name of a table or column, each later statement would fail.
Result<std::set<std::string>> columns_of(Database& database)
{
    Statement query = database.prepare("SELECT tables.name || '.' || columns.name FROM sqlite_schema AS tables"
                                       " JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'");
    std::set<std::string> columns;
    while (query.step())
        columns.insert(query.text());
    if (auto read = query.finish(); !read)
        return read.error();
    return columns;
}

Result<void> check_columns(Database& database, std::span<const Migration> steps)
{
    auto pattern = Database::open(":memory:");
    if (!pattern)
        return pattern.error();
    if (auto migrated = migrate(*pattern, steps); !migrated)
        return migrated;
    const auto expected = columns_of(*pattern);
    const auto found = columns_of(database);
    if (!expected || !found)
        return expected ? found.error() : expected.error();
    if (*expected != *found)
        return damaged("the store has other tables than it should");
    return {};
}

Result<Database> open_checked(const std::string& path, std::span<const Migration> steps)
{
    std::error_code failure;
    if (std::filesystem::file_size(path, failure) == 0 && !failure)
        return damaged("the store is empty");
    auto database = Database::open(path);
    if (!database)
        return database;
    if (auto verified = database->verify(); !verified)
        return verified.error();
    // This tells whether the store can be written at all. A later failure then comes from its content.
    if (auto begun = Transaction(*database).begun(); !begun)
        return begun.error();
    if (auto migrated = migrate(*database, steps); !migrated)
        return is_full(migrated.error()) ? migrated.error() : damaged(migrated.error().message);
    if (auto fits = check_columns(*database, steps); !fits)
        return fits.error();
    return database;
}

// Returns the highest number of those that were set aside, which is the newest, or 0.
unsigned long long newest_damaged(const std::string& directory)
{
    unsigned long long newest = 0;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(directory, failure)) {
        const std::string name = entry.path().filename().string();
        unsigned long long number = 0;
        if (name.starts_with(damaged_prefix) && parse_number(name.substr(std::strlen(damaged_prefix)), UINT32_MAX, number))
            newest = std::max(newest, number);
    }
    return newest;
}

std::string damaged_path(const std::string& directory, unsigned long long number)
{
    return directory + "/" + damaged_prefix + std::to_string(number);
}

Error cannot(const char* what)
{
    return {ErrorCode::Failed, std::string(what) + ": " + std::strerror(errno)};
}

// The companions go first. If they stayed behind, they would be taken for those of the new store.
Result<void> set_aside(const std::string& directory)
{
    const std::string source = path_in(directory);
    const std::string target = damaged_path(directory, newest_damaged(directory) + 1);
    for (const char* suffix : companions) {
        if (std::rename((source + suffix).c_str(), (target + suffix).c_str()) != 0 && errno != ENOENT)
            return cannot("cannot set the store aside");
    }
    if (std::rename(source.c_str(), target.c_str()) != 0 && errno != ENOENT)
        return cannot("cannot set the store aside");
    // A store that was missing is told, too, until somebody has seen it.
    const UniqueFd mark(open(target.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    return mark ? Result<void>() : Result<void>(cannot("cannot tell that the store was lost"));
}

Result<void> sync(const std::string& directory)
{
    const UniqueFd folder(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return fsync(folder.get()) == 0 ? Result<void>() : Result<void>(cannot("cannot write the store's folder"));
}

// Fills a new store with what can be read of the lost one. Returns the paths of its files.
Result<std::vector<std::string>> take_over(Database& database, const std::string& directory, bool is_first)
{
    std::vector<std::string> paths;
    Transaction transaction(database);
    if (auto begun = transaction.begun(); !begun)
        return begun.error();
    const auto newest = newest_damaged(directory);
    if (auto remains = newest == 0 ? Result<Database>(Error{}) : Database::open_remains(damaged_path(directory, newest));
        remains) {
        if (auto salvaged = salvage_refusals(*remains, database); !salvaged)
            return salvaged.error();
        paths = salvage_paths(*remains);
    }
    // Any file system may hold labels that only the lost store knew, also one that is not here now.
    if (auto forgotten = is_first ? Result<void>() : database.run("DELETE FROM file_system"); !forgotten)
        return forgotten.error();
    if (auto committed = transaction.commit(); !committed)
        return committed.error();
    return paths;
}

// The store has another name until it is whole. So a store without content is never one that was just being made. If this start
// is killed, the next one takes over what it can from the store that was set aside.
Result<std::vector<std::string>> make_store(const std::string& directory, std::span<const Migration> steps, bool is_first)
{
    const std::string path = path_in(directory);
    const std::string unfinished = path + ".new";
    for (const char* suffix : {"", "-wal", "-shm"})
        unlink((unfinished + suffix).c_str());
    std::vector<std::string> paths;
    {
        auto database = Database::open(unfinished);
        if (!database)
            return database.error();
        if (auto migrated = migrate(*database, steps); !migrated)
            return migrated.error();
        auto taken = take_over(*database, directory, is_first);
        if (!taken)
            return taken.error();
        paths = std::move(*taken);
        // Only the file itself is renamed, and not its journal.
        if (auto written = database->write_out(); !written)
            return written.error();
    }
    for (const char* suffix : companions)
        unlink((path + suffix).c_str());
    if (std::rename(unfinished.c_str(), path.c_str()) != 0)
        return cannot("cannot make the store");
    if (auto synced = sync(directory); !synced)
        return synced.error();
    return paths;
}

Result<Store> open_existing(const std::string& directory, std::span<const Migration> steps)
{
    auto database = open_checked(path_in(directory), steps);
    if (!database)
        return database.error();
    const auto was_sealed = break_seal(*database);
    if (!was_sealed)
        return was_sealed.error();
    const auto newest = newest_damaged(directory);
    std::string damage = newest == 0 ? "" : "a store that could not be used lies in " + damaged_path(directory, newest);
    return Store{std::move(*database), std::move(damage), {}, *was_sealed};
}

} // namespace

Result<Store> open_store(const std::string& directory, std::span<const Migration> steps)
{
    const bool exists = std::filesystem::exists(path_in(directory));
    auto store = exists ? open_existing(directory, steps) : Result<Store>(damaged("there is no store"));
    if (store || store.error().code != ErrorCode::StoreDamaged)
        return store;
    const bool is_first = !exists && !was_used_before(directory) && newest_damaged(directory) == 0;
    // An earlier start may have been killed after it had set one aside. That one is still to be taken over.
    if (exists || (!is_first && newest_damaged(directory) == 0)) {
        if (auto done = set_aside(directory); !done)
            return done.error();
    }
    auto salvaged = make_store(directory, steps, is_first);
    if (!salvaged)
        return salvaged.error();
    store = open_existing(directory, steps);
    if (store) {
        store->salvaged_paths = std::move(*salvaged);
        store->is_trusted = is_first;
    }
    return store;
}

Result<void> seal(Store& store)
{
    return set_seal(store.database);
}

} // namespace tacet
