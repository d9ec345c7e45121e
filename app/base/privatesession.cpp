// SPDX-License-Identifier: GPL-3.0-or-later
#include "privatesession.h"

#include "fields.h"
#include "timestamps.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

// The names are the session's: what could lead out of a folder is not taken for a path at all.
bool isPlainPath(const QByteArray &path)
{
    if (!path.startsWith('/') || path.size() < 2 || path.contains('\0'))
        return false;
    const QList<QByteArray> names = path.sliced(1).split('/');
    return std::ranges::none_of(names, [](const QByteArray &name) { return name.isEmpty() || name == "." || name == ".."; });
}

} // namespace

std::optional<PrivateSession> PrivateSession::parse(const QVariantMap &map)
{
    Fields fields(map);
    PrivateSession session;
    session.id = fields.required<quint64>("id"_L1);
    session.application = fields.required<QString>("application"_L1);
    session.since = fromUnixTime(fields.optional<quint64>("since"_L1));
    session.state = fields.required("state"_L1, contract::parse_session_state);
    session.network = fields.optional<bool>("network"_L1);
    session.audio = fields.optional<bool>("audio"_L1);
    session.onDisk = fields.optional<bool>("on_disk"_L1);
    session.box = fields.optional<QString>("box"_L1);
    session.isFull = fields.optional<bool>("full"_L1);
    session.store = fields.optional<quint64>("store"_L1);
    session.memory = fields.optional<quint64>("memory"_L1);
    session.swap = fields.optional<quint64>("swap"_L1);
    if (!fields.isValid())
        return std::nullopt;
    return session;
}

std::optional<SessionChange> SessionChange::parse(const QVariantMap &map)
{
    Fields fields(map);
    SessionChange change;
    change.path = fields.required<QByteArray>("path"_L1);
    change.type = fields.required("change"_L1, contract::parse_change_type);
    change.kind = fields.required("kind"_L1, contract::parse_file_kind);
    change.size = fields.optional<quint64>("size"_L1);
    change.mode = fields.optional<quint32>("mode"_L1);
    change.modified = fromUnixTime(fields.optional<quint64>("modified"_L1));
    if (!fields.isValid() || !isPlainPath(change.path))
        return std::nullopt;
    return change;
}

} // namespace Tacet
