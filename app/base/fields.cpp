// SPDX-License-Identifier: GPL-3.0-or-later
#include "fields.h"

namespace Tacet {

Fields::Fields(const QVariantMap &map) : m_map(map) {}

void Fields::reject(QLatin1StringView key)
{
    m_rejected.append(key);
}

QStringList Fields::bounded(const QStringList &list)
{
    QStringList result;
    for (const QString &text : list.first(qMin(list.size(), maximumList)))
        result.append(text.left(maximumText));
    return result;
}

} // namespace Tacet
