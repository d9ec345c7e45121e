// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/resolver_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "session/mount.h"

namespace tacet {
namespace {

constexpr std::size_t size_max = 64U << 10;
constexpr const char* usual = "/etc/resolv.conf";
// Where it may be a link to.
constexpr std::array places{"/run/systemd/resolve/resolv.conf", "/run/systemd/resolve/stub-resolv.conf",
                            "/run/NetworkManager/resolv.conf", "/run/resolvconf/resolv.conf"};

Error failure(const std::string& what)
{
    return {ErrorCode::Failed, what + ": " + std::strerror(errno)};
}

bool is_same(const struct stat& one, const struct stat& other)
{
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino && one.st_size == other.st_size
           && one.st_mtim.tv_sec == other.st_mtim.tv_sec && one.st_mtim.tv_nsec == other.st_mtim.tv_nsec;
}

bool is_file(const char* path)
{
    struct stat status{};
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}

} // namespace

// The copy stays the same file, as it may be mounted somewhere.
void ResolverFiles::follow()
{
    for (File& file : files_) {
        const UniqueFd source(openat(file.folder.get(), file.name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        struct stat status{};
        if (!source || fstat(source.get(), &status) != 0 || !S_ISREG(status.st_mode) || is_same(status, file.copied))
            continue;
        std::string text(size_max, '\0');
        const ssize_t size = read(source.get(), text.data(), text.size());
        // A network that is just changing may leave it empty for a moment.
        if (size > 0 && pwrite(file.copy.get(), text.data(), static_cast<std::size_t>(size), 0) == size
            && ftruncate(file.copy.get(), size) == 0)
            file.copied = status;
    }
}

Result<void> ResolverFiles::add(const std::string& path, const std::string& copy)
{
    const std::filesystem::path source(path);
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(copy).parent_path(), error);
    File file;
    file.name = source.filename();
    file.folder = UniqueFd(open(source.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    file.copy = UniqueFd(open(copy.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    if (!file.folder || !file.copy || fchmod(file.copy.get(), 0644) != 0)
        return failure("no " + copy);
    files_.push_back(std::move(file));
    return {};
}

Result<void> ResolverFiles::copy_into(const std::string& root)
{
    for (const char* place : places) {
        if (!is_file(place))
            continue;
        if (auto added = add(place, root + place); !added)
            return added;
    }
    // An overlay goes on to show the file that was there first, so the copy lies over it.
    const std::string copy = root + "/run/tacet/resolv.conf";
    const bool covers = is_file(usual);
    if (covers) {
        if (auto added = add(usual, copy); !added)
            return added;
    }
    follow();
    return covers ? bind(copy, root + usual, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV) : Result<void>();
}

} // namespace tacet
