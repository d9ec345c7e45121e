// SPDX-License-Identifier: GPL-3.0-or-later
// session files, keep
#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "cli/client.h"
#include "cli/commands.h"
#include "cli/kept_file.h"
#include "cli/output.h"
#include "common/text.h"
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

// A path that is no UTF-8 cannot be told in JSON as it is: then its bytes are there too.
Json to_json(const std::vector<Change>& changes)
{
    Json list = Json::array();
    for (const Change& change : changes) {
        Json item = {{"path", to_utf8(change.path)}, {"change", change.change}, {"kind", change.kind},
                     {"size", change.size},          {"mode", change.mode},     {"modified", change.modified}};
        if (!is_utf8(change.path))
            item["path_bytes"] = to_base64({change.path.begin(), change.path.end()});
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
    for (std::size_t i = 1; i < arguments.positional().size(); ++i) {
        const auto whole = std::filesystem::absolute(arguments.positional()[i]).lexically_normal();
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

bool keep(Client& client, std::uint64_t id, const Wanted& wanted, bool force)
{
    try {
        KeptFile file(wanted.destination, force);
        client.keep_file(id, wanted.change.path, file.file());
        file.finish(wanted.change.mode, wanted.change.modified);
        print_line(wanted.destination);
        return true;
    } catch (const sdbus::Error& error) {
        if (means_absent(error))
            throw;
        print_error(wanted.change.path + ": " + error.getMessage());
    } catch (const std::runtime_error& error) {
        print_error(wanted.destination + ": " + error.what());
    }
    return false;
}

int run_session_files(const Arguments& arguments)
{
    arguments.expect(1, 1);
    Client client;
    const auto changes = changes_of(client, to_number(arguments.positional().front(), UINT64_MAX));
    if (arguments.has("json")) {
        print_json(to_json(changes));
        return exit_ok;
    }
    Table table({"CHANGE", "KIND", "SIZE", "MODIFIED", "PATH"});
    for (const Change& change : changes)
        table.add({change.change, change.kind, change.kind == "file" ? size_text(change.size) : "", local_time(change.modified),
                   change.path});
    if (!table.empty())
        table.print();
    return exit_ok;
}

int run_session_keep(const Arguments& arguments)
{
    arguments.expect(2, SIZE_MAX);
    Client client;
    const std::uint64_t id = to_number(arguments.positional().front(), UINT64_MAX);
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
        {"session files", "ID", "what a private session has created, changed and deleted", {json}, run_session_files},
        {"session keep",
         "[--to DIRECTORY] [--force] ID PATH...",
         "copy files out of a private session",
         {{"to", true}, {"force"}},
         run_session_keep},
    };
    return commands;
}

} // namespace tacet::cli
