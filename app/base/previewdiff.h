// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the data that would be sent with the scrubbed copy: the differing bytes, and both as text or hexadecimal.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace Tacet {

// A part of a text, in UTF-16 units.
struct TextSpan
{
    qsizetype start = 0;
    qsizetype length = 0;
    bool operator==(const TextSpan &) const = default;
};

struct MarkedText
{
    QString text;
    QList<TextSpan> differing;
};

class PreviewDiff
{
public:
    enum Side { Original, Scrubbed };
    static constexpr int bytesPerLine = 8;

    PreviewDiff(const QByteArray &original, const QByteArray &scrubbed);

    // Bytes at one position that are not the same, those that only one side has included.
    qsizetype differingCount() const { return m_differingCount; }
    bool differs(qsizetype position) const;

    // Both sides read well as UTF-8.
    bool looksLikeText() const;

    MarkedText asText(Side side) const;
    MarkedText asHex(Side side) const;

private:
    const QByteArray &bytes(Side side) const { return side == Original ? m_original : m_scrubbed; }

    QByteArray m_original;
    QByteArray m_scrubbed;
    qsizetype m_differingCount = 0;
};

} // namespace Tacet
