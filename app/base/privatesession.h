// SPDX-License-Identifier: GPL-3.0-or-later
// A private session as the daemon tells it, and what it wrote.
#pragma once

#include "codes.h"

#include <QByteArray>
#include <QDateTime>
#include <QVariantMap>

#include <optional>

namespace Tacet {

struct PrivateSession
{
    quint64 id = 0;
    QString application;
    QDateTime since;
    // Waiting: its programs have ended, and what they wrote waits for Keep or End.
    SessionState state = SessionState::Starting;
    bool network = false;
    bool audio = false;
    bool onDisk = false;
    QString box;         // empty: none
    bool isFull = false; // its store: programs cannot write any more
    quint64 store = 0;   // bytes, as memory and swap
    quint64 memory = 0;
    quint64 swap = 0;

    static std::optional<PrivateSession> parse(const QVariantMap &map);
    bool operator==(const PrivateSession &) const = default;
};

struct SessionChange
{
    QByteArray path; // absolute, without "." and ".."; any bytes otherwise
    ChangeType type = ChangeType::Created;
    FileKind kind = FileKind::File;
    quint64 size = 0;
    quint32 mode = 0;
    QDateTime modified;

    static std::optional<SessionChange> parse(const QVariantMap &map);
    // Only a regular file that is still there can be copied out.
    bool canBeKept() const { return kind == FileKind::File && type != ChangeType::Deleted; }
    bool operator==(const SessionChange &) const = default;
};

} // namespace Tacet
