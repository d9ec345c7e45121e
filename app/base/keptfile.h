// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is kept from a private session while it is made: a new one under another name, until it is whole.
#pragma once

#include "common/unique_fd.h"

#include <QByteArray>
#include <QHash>

#include <memory>

namespace Tacet {

using ::tacet::UniqueFd;

// Where kept files go. Below it no symbolic link is followed: the names on the way are the session's choice.
class KeepPlace
{
public:
    // The chosen folder itself may be reached through links: the person chose it.
    static KeepPlace at(const QByteArray &folder);
    // "/", for files that go back to where they were.
    static KeepPlace original() { return at("/"); }

    bool isOpen() const { return bool(m_folder); }
    int error() const { return m_error; }
    bool has(const QByteArray &relative) const;
    // The folder that holds it. Makes those that are missing, with the permissions that they had in the session.
    UniqueFd parentOf(const QByteArray &relative, const QHash<QByteArray, quint32> &modes, int *ret_error) const;

private:
    UniqueFd m_folder;
    int m_error = 0;
};

class KeptFile
{
public:
    // relative: a plain path below the place. mode: only its permissions count, no set-user-id. Null: *ret_error is set.
    static std::unique_ptr<KeptFile> make(const KeepPlace &place, const QByteArray &relative, quint32 mode,
                                          const QHash<QByteArray, quint32> &folderModes, int *ret_error);
    // Removes it unless it was committed.
    ~KeptFile();
    KeptFile(const KeptFile &) = delete;
    KeptFile &operator=(const KeptFile &) = delete;

    int descriptor() const { return m_file.get(); }
    // Gives it its name. 0 or errno; EEXIST when the name is taken and is not to be replaced.
    int commit(bool replace);

private:
    KeptFile() = default;

    UniqueFd m_folder;
    UniqueFd m_file;
    QByteArray m_name;
    QByteArray m_temporary;
    bool m_committed = false;
};

} // namespace Tacet
