// SPDX-License-Identifier: GPL-3.0-or-later
#include "previewdiff.h"

#include <QStringDecoder>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

// Appends and marks; neighbouring marks become one.
class Marker
{
public:
    void append(QStringView text, bool differing)
    {
        const qsizetype start = m_result.text.size();
        m_result.text += text;
        if (!differing)
            return;
        if (!m_result.differing.isEmpty()) {
            TextSpan &last = m_result.differing.last();
            if (last.start + last.length == start) {
                last.length += text.size();
                return;
            }
        }
        m_result.differing.append({start, text.size()});
    }

    MarkedText result() && { return std::move(m_result); }

private:
    MarkedText m_result;
};

// The number of bytes of the UTF-8 sequence that starts here; 1 when it is none, so that nothing is skipped.
qsizetype sequenceLength(QByteArrayView bytes)
{
    const auto lead = quint8(bytes.front());
    const qsizetype length = lead < 0x80 ? 1 : (lead >> 5) == 0x6 ? 2 : (lead >> 4) == 0xe ? 3 : (lead >> 3) == 0x1e ? 4 : 1;
    if (length == 1 || length > bytes.size())
        return 1;
    return QByteArrayView(bytes.first(length)).isValidUtf8() ? length : 1;
}

// Every byte stays visible: control characters get a sign that each font has, a byte that is not UTF-8 the replacement character.
QString visible(QByteArrayView sequence)
{
    const auto lead = quint8(sequence.front());
    if (sequence.size() == 1 && lead >= 0x80)
        return QString(QChar::ReplacementCharacter);
    if (lead == '\n')
        return u"⏎\n"_s;
    if (lead == '\r')
        return u"←"_s;
    if (lead == '\t')
        return u"→"_s;
    if (lead < 0x20 || lead == 0x7f)
        return u"·"_s;
    const QString text = QString::fromUtf8(sequence);
    const auto category = QChar::category(text.toUcs4().constFirst());
    const bool invisible = category == QChar::Other_Format || category == QChar::Other_Control || category == QChar::Separator_Line
                           || category == QChar::Separator_Paragraph;
    return invisible ? QString(QChar::ReplacementCharacter) : text;
}

bool readsWell(QByteArrayView bytes)
{
    qsizetype strange = 0;
    for (qsizetype position = 0; position < bytes.size();) {
        const qsizetype length = sequenceLength(bytes.sliced(position));
        const auto lead = quint8(bytes[position]);
        const bool whiteSpace = lead == '\n' || lead == '\r' || lead == '\t';
        if ((length == 1 && lead >= 0x7f) || (lead < 0x20 && !whiteSpace))
            ++strange;
        position += length;
    }
    // The excerpt may end inside a character; more than that is not text.
    return strange * 20 <= bytes.size();
}

} // namespace

PreviewDiff::PreviewDiff(const QByteArray &original, const QByteArray &scrubbed) : m_original(original), m_scrubbed(scrubbed)
{
    for (qsizetype position = 0; position < qMax(original.size(), scrubbed.size()); ++position)
        m_differingCount += differs(position);
}

bool PreviewDiff::differs(qsizetype position) const
{
    if (position >= m_original.size() || position >= m_scrubbed.size())
        return position < qMax(m_original.size(), m_scrubbed.size());
    return m_original.at(position) != m_scrubbed.at(position);
}

bool PreviewDiff::looksLikeText() const
{
    return readsWell(m_original) && readsWell(m_scrubbed);
}

MarkedText PreviewDiff::asText(Side side) const
{
    const QByteArrayView all(bytes(side));
    Marker marker;
    for (qsizetype position = 0; position < all.size();) {
        const qsizetype length = sequenceLength(all.sliced(position));
        bool differing = false;
        for (qsizetype offset = 0; offset < length; ++offset)
            differing = differing || differs(position + offset);
        marker.append(visible(all.sliced(position, length)), differing);
        position += length;
    }
    return std::move(marker).result();
}

MarkedText PreviewDiff::asHex(Side side) const
{
    const QByteArrayView all(bytes(side));
    Marker marker;
    for (qsizetype line = 0; line < all.size(); line += bytesPerLine) {
        const qsizetype end = qMin(line + bytesPerLine, all.size());
        for (qsizetype position = line; position < line + bytesPerLine; ++position) {
            if (position >= end) {
                marker.append(u"   ", false);
                continue;
            }
            marker.append(QString::number(quint8(all[position]), 16).rightJustified(2, u'0'), differs(position));
            marker.append(u" ", false);
        }
        marker.append(u" ", false);
        for (qsizetype position = line; position < end; ++position) {
            const auto byte = quint8(all[position]);
            marker.append(QString(byte >= 0x20 && byte < 0x7f ? QChar::fromLatin1(char(byte)) : QChar(u'·')), differs(position));
        }
        if (end < all.size())
            marker.append(u"\n", false);
    }
    return std::move(marker).result();
}

} // namespace Tacet
