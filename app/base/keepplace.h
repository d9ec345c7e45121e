// SPDX-License-Identifier: GPL-3.0-or-later
// The folder that files of a private session are kept in.
#pragma once

#include "common/unique_fd.h"

#include <QByteArray>
#include <QHash>

namespace Tacet {

using ::tacet::UniqueFd;

// Below it no symbolic link is followed: the names on the way are the session's choice.
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

} // namespace Tacet
