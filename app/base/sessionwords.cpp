// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessionwords.h"

#include "words.h"

#include <cerrno>

namespace Tacet {

QString SessionWords::state(SessionState state)
{
    switch (state) {
    case SessionState::Starting:
        return tr("Starting");
    case SessionState::Running:
        return tr("Running");
    case SessionState::Waiting:
        return tr("Ended, files wait");
    case SessionState::Ending:
        return tr("Ending");
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString SessionWords::type(ChangeType type)
{
    switch (type) {
    case ChangeType::Created:
        return tr("Created");
    case ChangeType::Changed:
        return tr("Changed");
    case ChangeType::Deleted:
        return tr("Deleted");
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString SessionWords::kind(FileKind kind)
{
    switch (kind) {
    case FileKind::File:
        return tr("File");
    case FileKind::Directory:
        return tr("Folder");
    case FileKind::Link:
        return tr("Link");
    case FileKind::Other:
        return tr("Other");
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString SessionWords::written(const PrivateSession &session)
{
    const QString size = Words::bytes(session.store);
    if (!session.box.isEmpty())
        return (session.isFull ? tr("%1 in “%2” (full)") : tr("%1 in “%2”")).arg(size, session.box);
    if (session.isFull)
        return session.onDisk ? tr("%1 on disk (full)").arg(size) : tr("%1 (full)").arg(size);
    return session.onDisk ? tr("%1 on disk").arg(size) : size;
}

QString SessionWords::network(const PrivateSession &session)
{
    return session.network ? tr("Yes") : tr("No");
}

QString SessionWords::fileError(int number)
{
    switch (number) {
    case EEXIST:
        return tr("there is a file of this name already");
    case EISDIR:
    case ENOTEMPTY:
        return tr("there is a folder of this name");
    case ELOOP:
    case ENOTDIR:
        return tr("a folder on the way is a link or no folder");
    case EACCES:
    case EPERM:
        return tr("you may not write there");
    case EROFS:
        return tr("the file system cannot be written");
    case ENOSPC:
    case EDQUOT:
        return tr("the disk is full");
    case ENAMETOOLONG:
        return tr("the name is too long for this file system");
    case EINVAL:
    case EILSEQ:
        return tr("this file system does not allow the name");
    default:
        return qt_error_string(number);
    }
}

} // namespace Tacet
