// SPDX-License-Identifier: GPL-3.0-or-later
#include "untrusted.h"

#include <QDir>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

bool mustNotBeShown(char32_t character)
{
    switch (QChar::category(character)) {
    case QChar::Other_Control:
    case QChar::Other_Format: // bidirectional controls, zero-width characters, tags
    case QChar::Other_Surrogate:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return false;
    }
}

QString withoutMiddle(const QString &text, qsizetype limit)
{
    if (text.size() <= limit)
        return text;
    const qsizetype kept = limit - 1;
    // The end of a path or host name says more than its beginning.
    const qsizetype head = kept / 3;
    return text.first(head) + u'…' + text.last(kept - head);
}

QString quoted(const QString &argument)
{
    static const QRegularExpression plain(u"^[\\w@%+=:,./~-]+$"_s, QRegularExpression::UseUnicodePropertiesOption);
    if (plain.match(argument).hasMatch())
        return argument;
    QString inner = argument;
    return u'\'' + inner.replace(u'\'', "'\\''"_L1) + u'\'';
}

QString fromHome(const QString &path)
{
    const QString home = QDir::homePath();
    return home.size() > 1 && path.startsWith(home + u'/') ? u'~' + path.sliced(home.size()) : path;
}

} // namespace

QString shown(const QString &text, qsizetype limit)
{
    QString clean;
    for (const char32_t character : text.toUcs4()) {
        if (mustNotBeShown(character))
            clean += QChar::ReplacementCharacter;
        else
            clean += QChar::fromUcs4(character);
    }
    return withoutMiddle(clean, limit);
}

QString shownBold(const QString &text, qsizetype limit)
{
    return u"\u2068<b>%1</b>\u2069"_s.arg(shown(text, limit).toHtmlEscaped());
}

QString shownPath(const QString &path, qsizetype limit)
{
    const QString text = shown(fromHome(path), limit);
    // Among right-to-left words the first slash would move to the end.
    const bool reordered = !text.isEmpty() && QLocale().textDirection() == Qt::RightToLeft;
    return reordered ? u"\u2066%1\u2069"_s.arg(text) : text;
}

QString shownPathBold(const QString &path, qsizetype limit)
{
    return shownBold(fromHome(path), limit);
}

QString shownCommand(const QStringList &command, qsizetype limit)
{
    QStringList words;
    for (const QString &argument : command)
        words.append(quoted(argument));
    return shown(words.join(u' '), limit);
}

} // namespace Tacet
