// SPDX-License-Identifier: GPL-3.0-or-later
#include "keptfile.h"

#include <QRandomGenerator>

#include <cerrno>
#include <cstdio>
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

QByteArray nameOf(const QByteArray &relative)
{
    return relative.sliced(relative.lastIndexOf('/') + 1);
}

QByteArray temporaryName()
{
    return ".tacet-" + QByteArray::number(QRandomGenerator::system()->generate64(), 36) + ".part";
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

std::unique_ptr<KeptFile> KeptFile::make(const KeepPlace &place, const QByteArray &relative, quint32 mode,
                                         const QHash<QByteArray, quint32> &folderModes, int *ret_error)
{
    std::unique_ptr<KeptFile> kept(new KeptFile);
    kept->m_folder = place.parentOf(relative, folderModes, ret_error);
    if (!kept->m_folder)
        return nullptr;
    kept->m_name = nameOf(relative);
    const QByteArray temporary = temporaryName();
    kept->m_file = UniqueFd(openat(kept->m_folder.get(), temporary.constData(),
                                     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode & permissions));
    if (!kept->m_file) {
        *ret_error = errno;
        return nullptr;
    }
    kept->m_temporary = temporary;
    return kept;
}

KeptFile::~KeptFile()
{
    if (!m_committed && !m_temporary.isEmpty())
        unlinkat(m_folder.get(), m_temporary.constData(), 0);
}

int KeptFile::commit(bool replace)
{
    const int folder = m_folder.get();
    if (replace) {
        if (renameat(folder, m_temporary.constData(), folder, m_name.constData()) != 0)
            return errno;
        m_committed = true;
        return 0;
    }
    if (renameat2(folder, m_temporary.constData(), folder, m_name.constData(), RENAME_NOREPLACE) == 0) {
        m_committed = true;
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    // A file system without RENAME_NOREPLACE: a link is refused too where the name is taken. The other name goes with us.
    return linkat(folder, m_temporary.constData(), folder, m_name.constData(), 0) == 0 ? 0 : errno;
}

} // namespace Tacet
