// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/kept_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <format>
#include <utility>

namespace tacet {
namespace {

constexpr mode_t permissions = 0777;

} // namespace

std::unique_ptr<KeptFile> KeptFile::make(UniqueFd folder, const std::string& name, mode_t mode)
{
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof(number), 0) != sizeof(number))
        return nullptr;
    const std::string temporary = std::format(".tacet-{:016x}.part", number);
    std::unique_ptr<KeptFile> kept(new KeptFile);
    kept->file_ = UniqueFd(
        openat(folder.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode & permissions));
    if (!kept->file_)
        return nullptr;
    kept->folder_ = std::move(folder);
    kept->temporary_ = temporary;
    kept->name_ = name;
    // The mode, less the umask, is set when the file gets its name. Until then only its owner may use it.
    struct stat status{};
    if (fstat(kept->file_.get(), &status) != 0 || fchmod(kept->file_.get(), S_IRUSR | S_IWUSR) != 0)
        return nullptr;
    kept->mode_ = status.st_mode & permissions;
    return kept;
}

KeptFile::~KeptFile()
{
    if (!temporary_.empty())
        unlinkat(folder_.get(), temporary_.c_str(), 0);
}

int KeptFile::commit(std::uint64_t modified, bool replace)
{
    const timespec time{static_cast<time_t>(modified), 0};
    const timespec times[] = {time, time};
    if (fchmod(file_.get(), mode_) != 0 || futimens(file_.get(), times) != 0 || fsync(file_.get()) != 0)
        return errno;
    return give_name(replace);
}

int KeptFile::give_name(bool replace)
{
    const int folder = folder_.get();
    if (renameat2(folder, temporary_.c_str(), folder, name_.c_str(), replace ? 0 : RENAME_NOREPLACE) == 0) {
        temporary_.clear();
        return 0;
    }
    if (replace || (errno != EINVAL && errno != ENOSYS))
        return errno;
    // A file system without RENAME_NOREPLACE: a link is refused too where the name is taken. The other name goes with this
    // object.
    return linkat(folder, temporary_.c_str(), folder, name_.c_str(), 0) == 0 ? 0 : errno;
}

} // namespace tacet
