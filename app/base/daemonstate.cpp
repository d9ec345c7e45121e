// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemonstate.h"

#include "fields.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

std::optional<Protection> Protection::parse(const QVariantMap &map)
{
    Fields fields(map);
    Protection protection;
    protection.name = fields.required<QString>("name"_L1);
    protection.enforced = fields.required<bool>("enforced"_L1);
    protection.by = fields.optional<QString>("by"_L1);
    protection.detail = fields.optional<QString>("detail"_L1);
    if (!fields.isValid())
        return std::nullopt;
    return protection;
}

const Question *DaemonState::question(quint64 id) const
{
    const auto found = std::ranges::find(questions, id, &Question::id);
    return found == questions.cend() ? nullptr : &*found;
}

const PrivateSession *DaemonState::session(quint64 id) const
{
    const auto found = std::ranges::find(sessions, id, &PrivateSession::id);
    return found == sessions.cend() ? nullptr : &*found;
}

} // namespace Tacet
