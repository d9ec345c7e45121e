// SPDX-License-Identifier: GPL-3.0-or-later
// The lists in the daemon's answers as values; what does not fit the contract is left out and logged.
#pragma once

#include "labelledfile.h"

#include <QDBusArgument>
#include <QList>
#include <QLoggingCategory>
#include <QVariantMap>

namespace Tacet {

Q_DECLARE_LOGGING_CATEGORY(logClient)

template <typename Value>
QList<Value> parseList(const QVariant &argument, quint32 *ret_listed = nullptr)
{
    QList<Value> values;
    const auto maps = qdbus_cast<QList<QVariantMap>>(argument);
    if (ret_listed)
        *ret_listed = quint32(maps.size());
    for (const QVariantMap &map : maps) {
        if (auto value = Value::parse(map))
            values.append(*std::move(value));
        else
            qCWarning(logClient) << "the daemon sent a dictionary that does not fit the contract, with keys" << map.keys();
    }
    return values;
}

QList<LabelFailure> parseFailures(const QVariant &argument);

} // namespace Tacet
