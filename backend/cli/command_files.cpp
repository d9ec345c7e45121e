// SPDX-License-Identifier: GPL-3.0-or-later
// session files, keep
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <utility>

#include "cli/client.h"
#include "cli/commands.h"
#include "cli/failures.h"
#include "cli/output.h"
#include "common/kept_file.h"
#include "contract/methods.h"

namespace tacet::cli {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Change {
    std::string path; // bytes, not text
    std::string change;
    std::string kind;
    std::uint64_t size = 0;
    std::uint32_t mode = 0;
    std::uint64_t modified = 0;
};

Change to_change(const Dictionary& item)
{
    const Bytes path = item.at("path").get<Bytes>();
    return {{path.begin(), path.end()},           item.at("change").get<std::string>(), item.at("kind").get<std::string>(),
            item.at("size").get<std::uint64_t>(), item.at("mode").get<std::uint32_t>(), item.at("modified").get<std::uint64_t>()};
}

std::vector<Change> changes_of(Client& client, std::uint64_t id)
{
    std::vector<Change> changes;
    for (const Dictionary& item : client.list(contract::sessions::files, id))
        changes.push_back(to_change(item));
    return changes;
}

Json to_json(const std::vector<Change>& changes)
{
    Json list = Json::array();
    for (const Change& change : changes) {
        Json item = {{"path", ""},          {"change", change.change}, {"kind", change.kind},
                     {"size", change.size}, {"mode", change.mode},     {"modified", change.modified}};
        put_path(item, change.path);
        list.push_back(std::move(item));
    }
    return list;
}

bool is_below(const std::string& path, const std::string& folder)
{
    return path.size() > folder.size() && path.starts_with(folder) && (folder == "/" || path[folder.size()] == '/');
}

struct Wanted {
    Change change;
    std::string destination;
};

// A folder stands for all regular files in it. The session is not asked what else it has: what it did not change is there anyway.
std::vector<Wanted> choose(const std::vector<Change>& changes, const Arguments& arguments)
{
    std::vector<Wanted> chosen;
    const auto target = arguments.value("to");
    for (std::size_t i = 1; i < arguments.operands().size(); ++i) {
        const auto whole = std::filesystem::absolute(arguments.operands()[i]).lexically_normal();
        const auto path = whole.has_filename() ? whole : whole.parent_path();
        const std::size_t before = chosen.size();
        for (const Change& change : changes) {
            const bool is_it = change.path == path.string();
            if (change.change == "deleted" || change.kind != "file" || (!is_it && !is_below(change.path, path.string())))
                continue;
            const auto below = std::filesystem::path(change.path).lexically_relative(path.parent_path());
            chosen.push_back({change, target ? (std::filesystem::absolute(*target) / below).string() : change.path});
        }
        if (chosen.size() == before)
            throw UsageError("no regular file that the session made or changed: " + path.string());
    }
    return chosen;
}

std::runtime_error failure(int error)
{
    return std::runtime_error(error == EEXIST ? "it exists already; --force replaces it" : std::strerror(error));
}

// Missing folders are made. Throws std::runtime_error, whose message names no path.
std::unique_ptr<KeptFile> make_destination(const std::filesystem::path& path, mode_t mode, bool force)
{
    std::error_code ignored; // opening it tells
    std::filesystem::create_directories(path.parent_path(), ignored);
    UniqueFd folder(open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat status{};
    if (!folder)
        throw failure(errno);
    const bool exists = fstatat(folder.get(), path.filename().c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (exists && S_ISDIR(status.st_mode))
        throw failure(EISDIR);
    if (exists && !force)
        throw failure(EEXIST);
    auto file = KeptFile::make(std::move(folder), path.filename(), mode);
    if (!file)
        throw failure(errno);
    return file;
}

bool keep(Client& client, std::uint64_t id, const Wanted& wanted, bool force)
{
    try {
        const auto file = make_destination(wanted.destination, wanted.change.mode, force);
        client.keep_file(id, wanted.change.path, file->file());
        if (const int error = file->commit(wanted.change.modified, force); error != 0)
            throw failure(error);
        print_line(wanted.destination);
        return true;
    } catch (const sdbus::Error& error) {
        if (means_absent(error) || means_timeout(error))
            throw;
        print_error(wanted.change.path + ": " + error.getMessage());
    } catch (const std::runtime_error& error) {
        print_error(wanted.destination + ": " + error.what());
    }
    return false;
}

int run_session_files(const Arguments& arguments)
{
    Client client;
    const auto changes = changes_of(client, to_number(arguments.operands().front(), UINT64_MAX));
    if (arguments.has("json")) {
        print_json(to_json(changes));
        return exit_ok;
    }
    Table table({"CHANGE", "KIND", "SIZE", "MODIFIED", "PATH"});
    for (const Change& change : changes)
        table.add({change.change, change.kind, change.kind == "file" ? size_text(change.size) : "", local_time(change.modified),
                   change.path});
    table.print();
    return exit_ok;
}

int run_session_keep(const Arguments& arguments)
{
    Client client;
    const std::uint64_t id = to_number(arguments.operands().front(), UINT64_MAX);
    const auto chosen = choose(changes_of(client, id), arguments);
    const auto kept =
        std::ranges::count_if(chosen, [&](const Wanted& wanted) { return keep(client, id, wanted, arguments.has("force")); });
    if (static_cast<std::size_t>(kept) == chosen.size())
        return exit_ok;
    return kept == 0 ? exit_failure : exit_partial;
}

} // namespace

std::span<const Command> file_commands()
{
    static const std::vector<Command> commands{
        {"session files",
         "list what a private session has created, changed and deleted",
         {json},
         {{values::id, "the session, as session list shows it"}},
         run_session_files,
         "  tacet session files 3"},
        {"session keep",
         "copy files out of a private session",
         {{"--to", "the folder to copy to; without it, each to its own place", values::folder},
          {"--force", "replace files that exist"}},
         {{values::id, "the session, as session list shows it"},
          {values::path, "files, or folders with all that changed in them", true, true}},
         run_session_keep,
         "  tacet session keep 3 ~/letter.odt\n"
         "  tacet session keep --to ~/kept 3 ~/Documents"},
    };
    return commands;
}

} // namespace tacet::cli
