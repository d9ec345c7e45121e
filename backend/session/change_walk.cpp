// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/change_walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <memory>

namespace tacet {
namespace {

constexpr unsigned depth_max = 128;              // there are three open directories for each level
constexpr std::int64_t compared_max = 16U << 20; // larger files are compared by their time
constexpr std::size_t names_max = 1'000'000;     // in one directory

struct CloseDirectory {
    void operator()(DIR* directory) const { closedir(directory); }
};

UniqueFd open_below(int directory, const char* name)
{
    return UniqueFd(openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

std::vector<std::string> names_in(int directory)
{
    // The directory is opened anew, as a copy would share its position with other readers.
    const int own = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, CloseDirectory> stream(own < 0 ? nullptr : fdopendir(own));
    if (stream == nullptr)
        return {};
    std::vector<std::string> names;
    while (const dirent* entry = readdir(stream.get())) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != ".." && names.size() < names_max)
            names.emplace_back(name);
    }
    std::ranges::sort(names);
    return names;
}

bool look(int directory, const std::string& name, struct stat& ret_status)
{
    return directory >= 0 && fstatat(directory, name.c_str(), &ret_status, AT_SYMLINK_NOFOLLOW) == 0;
}

bool is_whiteout(const struct stat& status)
{
    return S_ISCHR(status.st_mode) && status.st_rdev == makedev(0, 0);
}

FileKind kind_of(mode_t mode)
{
    return S_ISREG(mode)   ? FileKind::File
           : S_ISDIR(mode) ? FileKind::Directory
           : S_ISLNK(mode) ? FileKind::Link
                           : FileKind::Other;
}

bool same_time(const struct stat& one, const struct stat& other)
{
    return one.st_mtim.tv_sec == other.st_mtim.tv_sec && one.st_mtim.tv_nsec == other.st_mtim.tv_nsec;
}

bool same_content(int one, int other, const std::string& name)
{
    constexpr int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    const UniqueFd first(openat(one, name.c_str(), flags));
    const UniqueFd second(openat(other, name.c_str(), flags));
    constexpr std::size_t step = 1U << 16;
    std::vector<char> mine(step);
    std::vector<char> theirs(step);
    for (off_t at = 0; first && second && at <= compared_max; at += step) {
        const ssize_t size = pread(first.get(), mine.data(), step, at);
        if (size < 0 || size != pread(second.get(), theirs.data(), step, at)
            || !std::equal(mine.begin(), mine.begin() + size, theirs.begin()))
            return false;
        if (static_cast<std::size_t>(size) < step)
            return true;
    }
    return false;
}

bool same_target(int one, int other, const std::string& name)
{
    std::array<char, 4096> mine{};
    std::array<char, 4096> theirs{};
    const ssize_t size = readlinkat(one, name.c_str(), mine.data(), mine.size());
    return size >= 0 && size == readlinkat(other, name.c_str(), theirs.data(), theirs.size()) && mine == theirs;
}

bool same_rights(const struct stat& one, const struct stat& other)
{
    return one.st_mode == other.st_mode && one.st_uid == other.st_uid && one.st_gid == other.st_gid;
}

std::string join(const std::string& path, const std::string& name)
{
    return path == "/" ? path + name : path + "/" + name;
}

} // namespace

struct ChangeWalk::Folder {
    std::string path;
    int upper;
    int lower; // -1 if it did not exist
    int merged;
    unsigned depth;
};

bool ChangeWalk::is_full() const
{
    return changes_.size() >= changes_max || path_bytes_ >= change_paths_max;
}

void ChangeWalk::note(ChangeType change, const std::string& path, const struct stat& status)
{
    if (is_full() || path.size() >= PATH_MAX)
        return;
    path_bytes_ += path.size();
    changes_.push_back({path, change, kind_of(status.st_mode), static_cast<std::uint64_t>(status.st_size), status.st_mode & 07777,
                        static_cast<UnixTime>(std::max<time_t>(status.st_mtim.tv_sec, 0))});
}

void ChangeWalk::add(const Layer& layer)
{
    const UniqueFd merged = open_below(root_, layer.point == "/" ? "." : layer.point.c_str() + 1);
    if (merged)
        walk({layer.point, layer.upper.get(), layer.lower.get(), merged.get(), 0});
}

void ChangeWalk::add(const FreshPlace& place)
{
    const UniqueFd directory = open_below(root_, place.point.c_str() + 1);
    if (directory)
        walk_fresh(directory.get(), place.point, place.owner, 0);
}

std::vector<SessionChange> ChangeWalk::finish()
{
    std::ranges::sort(changes_, {}, &SessionChange::path);
    return std::move(changes_);
}

void ChangeWalk::walk(const Folder& folder)
{
    for (const std::string& name : names_in(folder.upper)) {
        if (!is_full())
            visit(folder, name);
    }
    if (folder.lower >= 0)
        visit_lost(folder);
}

void ChangeWalk::visit(const Folder& folder, const std::string& name)
{
    struct stat now{};
    struct stat before{};
    struct stat seen{};
    if (!look(folder.upper, name, now) || is_whiteout(now) || !look(folder.merged, name, seen))
        return;
    const std::string path = join(folder.path, name);
    const bool is_new = !look(folder.lower, name, before);
    const bool same_kind = !is_new && (now.st_mode & S_IFMT) == (before.st_mode & S_IFMT);
    bool same = same_kind && same_rights(now, before);
    if (same && S_ISREG(now.st_mode))
        same = now.st_size == before.st_size
               && (now.st_size <= compared_max ? same_content(folder.upper, folder.lower, name) : same_time(now, before));
    if (same && S_ISLNK(now.st_mode))
        same = same_target(folder.upper, folder.lower, name);
    if (!same)
        note(is_new ? ChangeType::Created : ChangeType::Changed, path, now);
    if (!S_ISDIR(now.st_mode) || folder.depth == depth_max)
        return;
    const UniqueFd upper = open_below(folder.upper, name.c_str());
    const UniqueFd lower = same_kind ? open_below(folder.lower, name.c_str()) : UniqueFd();
    const UniqueFd merged = open_below(folder.merged, name.c_str());
    if (upper && merged)
        walk({path, upper.get(), lower.get(), merged.get(), folder.depth + 1});
}

// A file is deleted if it existed before and is not seen any more. That covers whiteouts, and folders made anew in an old
// one's place.
void ChangeWalk::visit_lost(const Folder& folder)
{
    for (const std::string& name : names_in(folder.lower)) {
        struct stat before{};
        struct stat seen{};
        if (!look(folder.merged, name, seen) && errno == ENOENT && look(folder.lower, name, before))
            note(ChangeType::Deleted, join(folder.path, name), before);
    }
}

void ChangeWalk::walk_fresh(int directory, const std::string& path, uid_t owner, unsigned depth)
{
    for (const std::string& name : names_in(directory)) {
        struct stat now{};
        if (is_full() || !look(directory, name, now))
            continue;
        if (S_ISREG(now.st_mode) && now.st_uid == owner)
            note(ChangeType::Created, join(path, name), now);
        const UniqueFd below = S_ISDIR(now.st_mode) && depth < depth_max ? open_below(directory, name.c_str()) : UniqueFd();
        if (below)
            walk_fresh(below.get(), join(path, name), owner, depth + 1);
    }
}

} // namespace tacet
