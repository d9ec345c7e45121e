// SPDX-License-Identifier: GPL-3.0-or-later
// label add, remove, show, list, guard
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "cli/authentication.h"
#include "cli/client.h"
#include "cli/commands.h"
#include "cli/failures.h"
#include "cli/output.h"
#include "cli/paths.h"
#include "common/bus_path.h"
#include "contract/methods.h"

namespace tacet::cli {
namespace {

namespace fs = std::filesystem;

struct Selection {
    std::vector<std::string> paths;
    std::vector<Failure> unread; // folders
};

Failure unread(const fs::path& folder, const std::error_code& failure)
{
    const bool is_denied = failure == std::errc::permission_denied;
    const auto code = is_denied ? contract::ErrorCode::AccessDenied : contract::ErrorCode::Failed;
    return {folder.string(), std::string(contract::error_name(code)), failure.message()};
}

// Links are not followed: one could lead out of the folder.
void collect(const fs::path& top, Selection& selection)
{
    std::vector<fs::path> folders{top};
    while (!folders.empty()) {
        const fs::path folder = std::move(folders.back());
        folders.pop_back();
        std::error_code failure;
        for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
            std::error_code gone; // meanwhile; then it is neither
            const fs::file_status status = entry->symlink_status(gone);
            if (fs::is_directory(status))
                folders.push_back(entry->path());
            else if (fs::is_regular_file(status))
                selection.paths.push_back(entry->path().string());
        }
        if (failure)
            selection.unread.push_back(unread(folder, failure));
    }
}

Selection select(const Arguments& arguments)
{
    Selection selection;
    for (const std::string& word : arguments.operands()) {
        const std::string path = absolute_path(word);
        std::error_code failure;
        if (arguments.has("recursive") && fs::is_directory(path, failure))
            collect(path, selection);
        else
            selection.paths.push_back(path);
    }
    return selection;
}

int report(const Arguments& arguments, const Selection& selection, std::vector<Failure> failures)
{
    const std::size_t done = selection.paths.size() - failures.size();
    std::ranges::copy(selection.unread, std::back_inserter(failures));
    Json failed = Json::array();
    for (const Failure& failure : failures) {
        Json item;
        put_path(item, failure.path);
        item["error"] = failure.error;
        item["message"] = failure.message;
        failed.push_back(std::move(item));
        print_error(failure.path + ": " + failure.message);
    }
    if (arguments.has("json"))
        print_json({{"done", done}, {"failures", failed}});
    if (failures.empty())
        return exit_ok;
    return done + failures.size() > 1 ? exit_partial : exit_code_of(std::string_view(failures.front().error));
}

int run_label_add(const Arguments& arguments)
{
    const Selection selection = select(arguments);
    const TerminalAuthentication authentication;
    const std::string category = arguments.value("category").value_or("custom");
    return report(arguments, selection, Client().add_labels(selection.paths, category));
}

int run_label_remove(const Arguments& arguments)
{
    const Selection selection = select(arguments);
    const TerminalAuthentication authentication;
    return report(arguments, selection, Client().remove_labels(selection.paths));
}

std::string path_of(const Dictionary& file)
{
    return path_from_bus(file.at("path").get<std::string>());
}

Json labelled_file(const Dictionary& file)
{
    Json item = to_json(file);
    put_path(item, path_of(file));
    return item;
}

int run_label_show(const Arguments& arguments)
{
    const std::string asked = path_to_bus(absolute_path(arguments.operands().front()));
    const auto answer = Client().fetch<Dictionary>(contract::labels::show, asked);
    const Json file = labelled_file(answer);
    const bool labelled = !file["categories"].empty();
    if (arguments.has("json"))
        print_json(file);
    else
        print_line(path_of(answer) + ": " + (labelled ? join(file["categories"]) : "not sensitive"));
    return labelled ? exit_ok : exit_not_found;
}

int run_label_list(const Arguments& arguments)
{
    Json files = Json::array();
    Table table({"CATEGORIES", "STATE", "PATH"});
    for (const Dictionary& answer : Client().labels()) {
        const Json file = labelled_file(answer);
        const std::string state = file["missing"] ? "missing" : file["derived"] ? "derived" : "labelled";
        table.add({join(file["categories"]), state, path_of(answer)});
        files.push_back(file);
    }
    if (arguments.has("json"))
        print_json(files);
    else
        table.print();
    return exit_ok;
}

int run_label_guard(const Arguments& arguments)
{
    const std::vector<std::string>& kinds = arguments.operands();
    if (arguments.has("off") && kinds.empty())
        throw UsageError("give the kinds that are no longer guarded");
    Client client;
    std::vector<std::string> guarded = client.fetch<std::vector<std::string>>(contract::labels::guarded);
    if (!kinds.empty()) {
        for (const std::string& kind : kinds) {
            const bool known = std::erase(guarded, kind) != 0;
            if (!arguments.has("off"))
                guarded.push_back(kind);
            else if (!known)
                throw UsageError("not guarded: " + kind);
        }
        const TerminalAuthentication authentication;
        client.call(contract::labels::guard, guarded);
        guarded = client.fetch<std::vector<std::string>>(contract::labels::guarded);
    }
    if (arguments.has("json"))
        print_json({{"guarded", guarded}});
    else
        print_line(guarded.empty() ? "nothing is guarded" : join(guarded));
    return exit_ok;
}

constexpr Option recursive{"--recursive", "a folder stands for the files below it"};

} // namespace

std::span<const Command> label_commands()
{
    static const std::vector<Command> commands{
        {"label add",
         "mark files as sensitive",
         {{"--category", "mail, finance, keys, photos, health, custom (the default)", values::kind}, recursive, json},
         {{values::path, "the files", true, true}},
         run_label_add,
         "  tacet label add ~/Documents/salaries.csv --category finance\n"
         "  tacet label add --recursive ~/Mail --category mail"},
        {"label remove",
         "unmark files",
         {recursive, json},
         {{values::path, "the files", true, true}},
         run_label_remove,
         "  tacet label remove ~/Documents/salaries.csv"},
        {"label show",
         "show the categories of a file",
         {json},
         {{values::path, "the file"}},
         run_label_show,
         "  tacet label show ~/Documents/salaries.csv"},
        {"label list", "list all sensitive files", {json}, {}, run_label_list, "  tacet label list"},
        {"label guard",
         "ask before programs change sensitive files",
         {{"--off", "no longer ask about these kinds"}, json},
         {{values::kind, "kinds to ask about; without one: show which they are", false, true}},
         run_label_guard,
         "  tacet label guard finance\n"
         "  tacet label guard --off finance"},
    };
    return commands;
}

} // namespace tacet::cli
