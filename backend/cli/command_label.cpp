// SPDX-License-Identifier: GPL-3.0-or-later
// label add, remove, show, list, guard
#include <filesystem>

#include "cli/authentication.h"
#include "cli/client.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "common/text.h"
#include "contract/methods.h"

namespace tacet::cli {
namespace {

std::string absolute(const std::string& path)
{
    if (!is_utf8(path))
        throw UsageError("not valid UTF-8: " + path);
    return std::filesystem::absolute(path).lexically_normal().string();
}

void collect(const std::filesystem::path& directory, std::vector<std::string>& ret_paths)
{
    using std::filesystem::directory_options;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(directory, directory_options::skip_permission_denied)) {
        // The iterator does not descend into links; a link to a file would mark something outside.
        if (entry.is_regular_file() && !entry.is_symlink() && is_utf8(entry.path().string()))
            ret_paths.push_back(entry.path().string());
    }
}

std::vector<std::string> expand(const Arguments& arguments)
{
    std::vector<std::string> paths;
    for (const std::string& word : arguments.positional()) {
        const std::string path = absolute(word);
        std::error_code failure;
        if (arguments.has("recursive") && std::filesystem::is_directory(path, failure))
            collect(path, paths);
        else
            paths.push_back(path);
    }
    return paths;
}

int code_of(const std::string& error)
{
    if (error.ends_with(".NotFound") || error.ends_with(".NotLabelled"))
        return exit_not_found;
    return error.ends_with(".NotOwner") || error.ends_with(".AccessDenied") ? exit_denied : exit_failure;
}

int report(const Arguments& arguments, std::size_t total, const std::vector<Failure>& failures)
{
    Json failed = Json::array();
    for (const Failure& failure : failures) {
        failed.push_back({{"path", failure.path}, {"error", failure.error}, {"message", failure.message}});
        print_error(failure.path + ": " + failure.message);
    }
    if (arguments.has("json"))
        print_json({{"done", total - failures.size()}, {"failures", failed}});
    if (failures.empty())
        return exit_ok;
    return failures.size() < total || total > 1 ? exit_partial : code_of(failures.front().error);
}

int run_label_add(const Arguments& arguments)
{
    arguments.expect(1, SIZE_MAX);
    const auto paths = expand(arguments);
    const TerminalAuthentication authentication;
    return report(arguments, paths.size(), Client().add_labels(paths, arguments.value("category").value_or("custom")));
}

int run_label_remove(const Arguments& arguments)
{
    arguments.expect(1, SIZE_MAX);
    const auto paths = expand(arguments);
    const TerminalAuthentication authentication;
    return report(arguments, paths.size(), Client().remove_labels(paths));
}

int run_label_show(const Arguments& arguments)
{
    arguments.expect(1, 1);
    const Json file = to_json(Client().fetch<Dictionary>(contract::labels::show, absolute(arguments.positional().front())));
    const bool labelled = !file["categories"].empty();
    if (arguments.has("json"))
        print_json(file);
    else
        print_line(file["path"].get<std::string>() + ": " + (labelled ? join(file["categories"]) : "not sensitive"));
    return labelled ? exit_ok : exit_not_found;
}

int run_label_list(const Arguments& arguments)
{
    arguments.expect(0, 0);
    const Json files = to_json(Client().labels());
    if (arguments.has("json")) {
        print_json(files);
        return exit_ok;
    }
    Table table({"CATEGORIES", "STATE", "PATH"});
    for (const Json& file : files) {
        std::string state = file["missing"] ? "missing" : file["derived"] ? "derived" : "labelled";
        table.add({join(file["categories"]), state, file["path"]});
    }
    if (!table.empty())
        table.print();
    return exit_ok;
}

int run_label_guard(const Arguments& arguments)
{
    arguments.expect(0, SIZE_MAX);
    if (arguments.has("off") && arguments.positional().empty())
        throw UsageError("give the kinds that are no longer guarded");
    Client client;
    std::vector<std::string> guarded = client.fetch<std::vector<std::string>>(contract::labels::guarded);
    if (!arguments.positional().empty()) {
        for (const std::string& kind : arguments.positional()) {
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

} // namespace

std::span<const Command> label_commands()
{
    static const std::vector<Command> commands{
        {"label add",
         "[--category KIND] [--recursive] PATH...",
         "mark files as sensitive",
         {json, {"category", true}, {"recursive"}},
         run_label_add},
        {"label remove", "[--recursive] PATH...", "unmark files", {json, {"recursive"}}, run_label_remove},
        {"label show", "PATH", "the categories of a file", {json}, run_label_show},
        {"label list", "", "all sensitive files", {json}, run_label_list},
        {"label guard",
         "[--off] [KIND...]",
         "ask before programs change sensitive files of these kinds; without a KIND: which they are",
         {json, {"off"}},
         run_label_guard},
    };
    return commands;
}

} // namespace tacet::cli
