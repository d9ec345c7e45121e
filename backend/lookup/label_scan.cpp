// SPDX-License-Identifier: GPL-3.0-or-later
#include "lookup/label_scan.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#include <cerrno>
#include <chrono>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include <tacet.h>

#include "common/file_name.h"
#include "lookup/file_system.h"
#include "lookup/path_lookup.h"

namespace tacet::lookup {
namespace {

struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
};

struct Folder {
    std::unique_ptr<DIR, CloseFolder> entries;
    std::string path;
};

// Each level holds a file open.
constexpr std::size_t depth_max = 3000;
// A look that tells nothing for longer is taken for one that hangs.
constexpr auto sign_of_life = std::chrono::seconds(30);

// This follows no link and enters no other file system.
UniqueFd open_entry(int folder, const char* name, std::uint64_t flags)
{
    open_how how{};
    how.flags = flags | O_CLOEXEC;
    how.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS;
    return UniqueFd(static_cast<int>(syscall(SYS_openat2, folder, name, &how, sizeof(how))));
}

bool enter(UniqueFd folder, std::string path, std::vector<Folder>& stack)
{
    DIR* entries = folder ? fdopendir(folder.get()) : nullptr;
    if (entries == nullptr)
        return false;
    static_cast<void>(folder.release());
    stack.push_back({std::unique_ptr<DIR, CloseFolder>(entries), std::move(path)});
    return true;
}

// Tells of a place that the disk does not show. A file that was just removed, and a mount, are no such places.
void miss(const LookNews& news)
{
    if (errno != ENOENT && errno != ENODATA && errno != EXDEV && errno != ELOOP && errno != ENOTDIR && errno != EOPNOTSUPP)
        news.found(Finding{});
}

unsigned char type_of(int folder, const dirent& entry, const LookNews& news)
{
    struct stat status{};
    if (entry.d_type != DT_UNKNOWN)
        return entry.d_type;
    if (fstatat(folder, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
        return IFTODT(status.st_mode);
    miss(news);
    return entry.d_type;
}

void look_at_file(int folder, const dirent& entry, const std::string& path, const LookNews& news)
{
    const std::string place = "/proc/self/fd/" + std::to_string(folder) + "/" + entry.d_name;
    if (lgetxattr(place.c_str(), TACET_LABEL_XATTR, nullptr, 0) < 0)
        return miss(news);
    UniqueFd file = open_entry(folder, entry.d_name, O_PATH | O_NOFOLLOW);
    if (!file)
        return miss(news);
    news.found(name_file(std::move(file), path));
}

void descend(int folder, const dirent& entry, const std::string& path, const LookNews& news, std::vector<Folder>& stack)
{
    UniqueFd below = open_entry(folder, entry.d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!below)
        miss(news);
    else if (!enter(std::move(below), path, stack))
        news.found(Finding{});
}

class SignsOfLife {
public:
    explicit SignsOfLife(const LookNews& news) : news_(news) {}
    void give()
    {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < sign_of_life)
            return;
        last_ = now;
        news_.tell("going", {});
    }

private:
    const LookNews& news_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void walk(UniqueFd top, const std::string& path, const LookNews& news)
{
    SignsOfLife signs(news);
    std::vector<Folder> stack;
    if (!enter(std::move(top), path == "/" ? "" : path, stack))
        news.found(Finding{});
    while (!stack.empty()) {
        signs.give();
        const int folder = dirfd(stack.back().entries.get());
        errno = 0;
        const dirent* entry = readdir(stack.back().entries.get());
        if (entry == nullptr) {
            if (errno != 0)
                miss(news);
            stack.pop_back();
            continue;
        }
        const std::string_view name = entry->d_name;
        const std::string entry_path = stack.back().path + "/" + std::string(name);
        const unsigned char type = type_of(folder, *entry, news);
        if (type == DT_REG)
            look_at_file(folder, *entry, entry_path, news);
        else if (type != DT_DIR || name == "." || name == "..")
            continue;
        else if (stack.size() == depth_max)
            news.found(Finding{});
        else
            descend(folder, *entry, entry_path, news, stack);
    }
}

// A place that shows another file system by now was unmounted. Whatever else it showed was not looked at.
void walk_all(const std::string& file_system, const std::vector<std::string>& places, const LookNews& news)
{
    news.tell("into", file_system);
    for (const std::string& place : places) {
        UniqueFd top(open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (top && file_system_of(top.get()) == file_system)
            walk(std::move(top), place, news);
        else
            news.found(Finding{});
    }
    news.tell("through", file_system);
}

} // namespace

void find_labels(const std::string& folder, const std::function<bool(const std::string&)>& is_wanted, const LookNews& news)
{
    // The mounts are not held open meanwhile. Only the one that is looked through cannot be unmounted.
    std::map<std::string, std::vector<std::string>> points = Mounts().points();
    if (!folder.empty()) {
        for (auto& [file_system, places] : points)
            std::erase_if(places, [&](const std::string& point) { return !lies_in(point, folder); });
        std::erase_if(points, [](const auto& item) { return item.second.empty(); });
        const UniqueFd top(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        points[file_system_of(top.get())].push_back(folder);
    }
    for (const auto& [file_system, places] : points) {
        if (is_wanted(file_system))
            walk_all(file_system, places, news);
        else
            news.tell("seen", file_system);
    }
}

} // namespace tacet::lookup
