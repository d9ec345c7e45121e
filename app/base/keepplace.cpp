// SPDX-License-Identifier: GPL-3.0-or-later
#include "keepplace.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Tacet {

namespace {

constexpr mode_t permissions = 0777;

UniqueFd openFolder(int parent, const QByteArray &name)
{
    return UniqueFd(openat(parent, name.constData(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

QByteArray folderOf(const QByteArray &relative)
{
    return relative.left(qMax(relative.lastIndexOf('/'), 0));
}

} // namespace

KeepPlace KeepPlace::at(const QByteArray &folder)
{
    KeepPlace place;
    place.m_folder = UniqueFd(open(folder.constData(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    place.m_error = place.isOpen() ? 0 : errno;
    return place;
}

bool KeepPlace::has(const QByteArray &relative) const
{
    struct stat status{};
    return fstatat(m_folder.get(), relative.constData(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

UniqueFd KeepPlace::parentOf(const QByteArray &relative, const QHash<QByteArray, quint32> &modes, int *ret_error) const
{
    UniqueFd folder(fcntl(m_folder.get(), F_DUPFD_CLOEXEC, 0));
    QByteArray walked;
    const QByteArray parent = folderOf(relative);
    const QList<QByteArray> names = parent.isEmpty() ? QList<QByteArray>() : parent.split('/');
    for (const QByteArray &name : names) {
        walked += walked.isEmpty() ? name : '/' + name;
        UniqueFd next = openFolder(folder.get(), name);
        if (!next && errno == ENOENT) {
            const mode_t mode = (modes.value(walked, permissions) & permissions) | S_IRWXU;
            if (mkdirat(folder.get(), name.constData(), mode) == 0 || errno == EEXIST)
                next = openFolder(folder.get(), name);
        }
        if (!next) {
            *ret_error = errno;
            return UniqueFd();
        }
        folder = std::move(next);
    }
    if (!folder)
        *ret_error = errno;
    return folder;
}

} // namespace Tacet
