// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/private_launcher.h"

#include <gio/gdesktopappinfo.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace tacet {
namespace {

constexpr const char* main_group = G_KEY_FILE_DESKTOP_GROUP;
constexpr const char* exec_key = G_KEY_FILE_DESKTOP_KEY_EXEC;
// With it a program is started by D-Bus, outside of any session, and not by Exec.
constexpr const char* bus_key = G_KEY_FILE_DESKTOP_KEY_DBUS_ACTIVATABLE;
constexpr const char* public_bus_key = "X-Tacet-DBusActivatable";
// The person had an entry of this id already.
constexpr const char* own_key = "X-Tacet-Own";

struct Free {
    void operator()(char* text) const { g_free(text); }
    void operator()(char** list) const { g_strfreev(list); }
    void operator()(GKeyFile* file) const { g_key_file_unref(file); }
    void operator()(GError* error) const { g_error_free(error); }
    void operator()(GDesktopAppInfo* entry) const { g_object_unref(entry); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;
using KeyFile = Owned<GKeyFile>;
using Entry = Owned<GDesktopAppInfo>;

std::string text_of(const char* text)
{
    return text == nullptr ? std::string() : text;
}

std::string value_of(const KeyFile& file, const char* group, const char* key)
{
    const Owned<char> value(g_key_file_get_string(file.get(), group, key, nullptr));
    return text_of(value.get());
}

bool has(const KeyFile& file, const char* group, const char* key)
{
    return g_key_file_has_key(file.get(), group, key, nullptr) != FALSE;
}

std::filesystem::path own_folder()
{
    return std::filesystem::path(g_get_user_data_dir()) / "applications";
}

KeyFile read_file(const std::string& path)
{
    KeyFile file(g_key_file_new());
    // Flags of C are one type, and each of them a value of it. NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
    const auto flags = static_cast<GKeyFileFlags>(G_KEY_FILE_KEEP_COMMENTS | G_KEY_FILE_KEEP_TRANSLATIONS);
    if (g_key_file_load_from_file(file.get(), path.c_str(), flags, nullptr) == FALSE)
        return nullptr;
    return file;
}

// Written beside it and renamed, by GLib.
Result<void> write_file(const KeyFile& file, const std::filesystem::path& path)
{
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    GError* error = nullptr;
    if (g_key_file_save_to_file(file.get(), path.c_str(), &error) != FALSE)
        return {};
    const Owned<GError> reason(error);
    return Error{ErrorCode::Failed, reason->message};
}

bool is_ours(const KeyFile& file)
{
    return file && has(file, main_group, public_exec_key);
}

PrivateLauncher describe(const std::string& id, const KeyFile& file)
{
    const Owned<char> name(g_key_file_get_locale_string(file.get(), main_group, G_KEY_FILE_DESKTOP_KEY_NAME, nullptr, nullptr));
    return {id, text_of(name.get()), value_of(file, main_group, public_exec_key)};
}

// A word of Exec, by the rules of the desktop entry specification.
std::string quote(std::string_view word)
{
    std::string quoted = "\"";
    for (const char character : word) {
        if (std::strchr("\"`$\\", character) != nullptr)
            quoted += '\\';
        quoted += character == '%' ? "%%" : std::string(1, character);
    }
    return quoted + "\"";
}

// Calls for each group of the file: the entry's own, and one for each action.
template <typename Call>
void for_each_group(const KeyFile& file, Call call)
{
    const Owned<char*> groups(g_key_file_get_groups(file.get(), nullptr));
    for (char** group = groups.get(); *group != nullptr; ++group)
        call(*group);
}

void rename_key(const KeyFile& file, const char* group, const char* from, const char* to)
{
    if (!has(file, group, from))
        return;
    g_key_file_set_string(file.get(), group, to, value_of(file, group, from).c_str());
    g_key_file_remove_key(file.get(), group, from, nullptr);
}

void make_public(const KeyFile& file)
{
    for_each_group(file, [&](const char* group) {
        if (has(file, group, public_exec_key))
            g_key_file_remove_key(file.get(), group, exec_key, nullptr);
        rename_key(file, group, public_exec_key, exec_key);
    });
    rename_key(file, main_group, public_bus_key, bus_key);
}

void make_private(const KeyFile& file, std::span<const std::string> options)
{
    std::string start = "tacet run";
    for (const std::string& option : options)
        start += " " + quote(option);
    // A program in a terminal has no windows.
    if (value_of(file, main_group, G_KEY_FILE_DESKTOP_KEY_TERMINAL) == "true")
        start += " --display none";
    start += " -- ";
    for_each_group(file, [&](const char* group) {
        if (!has(file, group, exec_key))
            return;
        rename_key(file, group, exec_key, public_exec_key);
        g_key_file_set_string(file.get(), group, exec_key, (start + value_of(file, group, public_exec_key)).c_str());
    });
    rename_key(file, main_group, bus_key, public_bus_key);
}

std::string with_suffix(const std::string& id)
{
    return id.ends_with(".desktop") ? id : id + ".desktop";
}

// The program of an Exec: its first word, without the folder.
std::string program_of(const std::string& exec)
{
    char** words = nullptr;
    if (g_shell_parse_argv(exec.c_str(), nullptr, &words, nullptr) == FALSE)
        return {};
    const Owned<char*> list(words);
    return std::filesystem::path(*words).filename();
}

std::string public_exec(GDesktopAppInfo* entry)
{
    const Owned<char> exec(g_desktop_app_info_get_string(entry, public_exec_key));
    return exec ? text_of(exec.get()) : text_of(g_app_info_get_commandline(G_APP_INFO(entry)));
}

// The ids of the entries that start this program.
std::vector<std::string> entries_of(const std::string& program)
{
    std::vector<std::string> ids;
    GList* all = g_app_info_get_all();
    for (const GList* link = all; link != nullptr; link = link->next) {
        auto* info = static_cast<GAppInfo*>(link->data);
        if (G_IS_DESKTOP_APP_INFO(info) && g_app_info_should_show(info) != FALSE
            && program_of(public_exec(G_DESKTOP_APP_INFO(info))) == std::filesystem::path(program).filename())
            ids.push_back(text_of(g_app_info_get_id(info)));
    }
    g_list_free_full(all, g_object_unref);
    std::ranges::sort(ids);
    return ids;
}

// Empty: no entry has this id. GIO looks at files again only in a main loop, and may not know ours yet.
std::string file_of(const std::string& id)
{
    // A path is not an id, and would lead out of the folder.
    if (id.find('/') != std::string::npos)
        return {};
    const std::filesystem::path place = own_folder() / id;
    if (is_ours(read_file(place)))
        return place;
    const Entry entry(g_desktop_app_info_new(id.c_str()));
    return entry ? text_of(g_desktop_app_info_get_filename(entry.get())) : std::string();
}

Result<std::string> find_entry(const std::string& program)
{
    if (!file_of(with_suffix(program)).empty())
        return with_suffix(program);
    const std::vector<std::string> ids = entries_of(program);
    if (ids.empty())
        return Error{ErrorCode::NotFound, "no entry of the menu starts " + program};
    if (ids.size() == 1)
        return ids.front();
    std::string message = "several entries start " + program + ", name one of them:";
    for (const std::string& id : ids)
        message += " " + id;
    return Error{ErrorCode::InvalidArgument, message};
}

} // namespace

Result<PrivateLauncher> always_start_privately(const std::string& program, const std::vector<std::string>& options)
{
    const auto id = find_entry(program);
    if (!id)
        return id.error();
    const std::string path = file_of(*id);
    const KeyFile file = read_file(path);
    if (!file)
        return Error{ErrorCode::NotFound, "the entry " + *id + " cannot be read"};
    if (!has(file, main_group, exec_key))
        return Error{ErrorCode::InvalidArgument, "the entry " + *id + " has no command: its program is started by D-Bus only"};
    const std::filesystem::path place = own_folder() / *id;
    if (is_ours(file))
        make_public(file);
    else if (path == place)
        g_key_file_set_boolean(file.get(), main_group, own_key, TRUE);
    make_private(file, options);
    if (auto written = write_file(file, place); !written)
        return written.error();
    return describe(*id, file);
}

Result<PrivateLauncher> start_publicly_again(const std::string& program)
{
    const auto id = find_entry(program);
    if (!id)
        return id.error();
    const std::filesystem::path place = own_folder() / *id;
    const KeyFile file = read_file(place);
    if (!is_ours(file))
        return Error{ErrorCode::NotFound, *id + " is not started privately"};
    const PrivateLauncher launcher = describe(*id, file);
    if (has(file, main_group, own_key)) {
        g_key_file_remove_key(file.get(), main_group, own_key, nullptr);
        make_public(file);
        if (auto written = write_file(file, place); !written)
            return written.error();
        return launcher;
    }
    std::error_code error;
    if (!std::filesystem::remove(place, error))
        return Error{ErrorCode::Failed, error.message()};
    return launcher;
}

std::vector<PrivateLauncher> private_launchers()
{
    std::map<std::string, PrivateLauncher> launchers;
    std::error_code error;
    for (const auto& item : std::filesystem::directory_iterator(own_folder(), error)) {
        const std::string id = item.path().filename();
        const KeyFile file = id.ends_with(".desktop") ? read_file(item.path()) : nullptr;
        if (is_ours(file))
            launchers.emplace(id, describe(id, file));
    }
    std::vector<PrivateLauncher> list;
    list.reserve(launchers.size());
    for (auto& [id, launcher] : launchers)
        list.push_back(std::move(launcher));
    return list;
}

} // namespace tacet
