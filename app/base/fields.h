// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the a{sv} dictionaries of the D-Bus contract strictly: what the daemon sends is checked like any other input.
#pragma once

#include "codes.h"

#include <QByteArray>
#include <QLatin1StringView>
#include <QStringList>
#include <QVariantMap>

namespace Tacet {

class Fields
{
public:
    // The longest text, list and byte string that the app keeps; the rest is cut off, so that nobody can make it swell.
    static constexpr qsizetype maximumText = 4096;
    static constexpr qsizetype maximumList = 512;
    static constexpr qsizetype maximumBytes = qsizetype(64) * 1024;

    explicit Fields(const QVariantMap &map);

    // T is exactly the Qt type of the contract's D-Bus type: a value of another type makes the dictionary invalid.
    template <typename T>
    T required(QLatin1StringView key)
    {
        if (!m_map.contains(key)) {
            reject(key);
            return {};
        }
        return optional<T>(key);
    }

    template <typename T>
    T optional(QLatin1StringView key)
    {
        const auto found = m_map.constFind(key);
        if (found == m_map.constEnd())
            return {};
        if (found->metaType() != QMetaType::fromType<T>()) {
            reject(key);
            return {};
        }
        return bounded(found->template value<T>());
    }

    // The word of a code; one that the contract does not know makes the dictionary invalid. parse: as for codeOf.
    template <typename Code>
    Code required(QLatin1StringView key, std::optional<Code> (*parse)(std::string_view))
    {
        const auto code = codeOf(required<QString>(key), parse);
        if (!code)
            reject(key);
        return code.value_or(Code{});
    }

    // For values that have the right type but make no sense.
    void reject(QLatin1StringView key);

    bool isValid() const { return m_rejected.isEmpty(); }
    QStringList rejected() const { return m_rejected; }

private:
    template <typename T>
    static T bounded(T value)
    {
        return value;
    }
    static QString bounded(const QString &text) { return text.left(maximumText); }
    static QStringList bounded(const QStringList &list);
    static QByteArray bounded(const QByteArray &bytes) { return bytes.left(maximumBytes); }

    const QVariantMap &m_map;
    QStringList m_rejected;
};

} // namespace Tacet
