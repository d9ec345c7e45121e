// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/kept_file.h"

#include <cstdint>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <format>
#include <stdexcept>

namespace tacet::cli {
namespace {

std::runtime_error failure(const char* what)
{
    return std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

std::string random_name()
{
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof(number), 0) != sizeof(number))
        throw failure("no random numbers");
    return std::format(".tacet-{:016x}", number);
}

UniqueFd make_file(const UniqueFd& folder, const std::string& name)
{
    UniqueFd file(openat(folder.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file && errno == EEXIST)
        throw std::runtime_error("it exists already; --force replaces it");
    if (!file)
        throw failure("not made");
    return file;
}

} // namespace

KeptFile::KeptFile(const std::string& path, bool replace)
{
    const std::filesystem::path whole(path);
    name_ = whole.filename().string();
    if (name_.empty() || name_ == "." || name_ == "..")
        throw std::runtime_error("not the name of a file");
    std::error_code ignored; // opening it tells
    std::filesystem::create_directories(whole.parent_path(), ignored);
    folder_ = UniqueFd(open(whole.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder_)
        throw failure("no folder for it");
    struct stat status{};
    const bool exists = fstatat(folder_.get(), name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (exists && S_ISDIR(status.st_mode))
        throw std::runtime_error("a folder has its name");
    const std::string name = replace ? random_name() : name_;
    file_ = make_file(folder_, name);
    made_ = name;
}

KeptFile::~KeptFile()
{
    if (!made_.empty())
        unlinkat(folder_.get(), made_.c_str(), 0);
}

void KeptFile::finish(mode_t mode, std::uint64_t modified)
{
    const mode_t mask = umask(0);
    umask(mask);
    const timespec time{static_cast<time_t>(modified), 0};
    const timespec times[] = {time, time};
    if (fchmod(file_.get(), mode & 0777 & ~mask) != 0 || futimens(file_.get(), times) != 0 || fsync(file_.get()) != 0)
        throw failure("not finished");
    if (made_ != name_ && renameat(folder_.get(), made_.c_str(), folder_.get(), name_.c_str()) != 0)
        throw failure("not replaced");
    made_.clear();
}

} // namespace tacet::cli
