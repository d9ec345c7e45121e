// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/previewdiff.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace Tacet;

class TestPreviewDiff : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void counts();
    void marksRuns();
    void differentLengths();
    void multiByteCharacters();
    void binary();
    void hexadecimal();
    void nothingIsHidden();
    void empty();
};

void TestPreviewDiff::counts()
{
    QCOMPARE(PreviewDiff("abc", "abc").differingCount(), 0);
    QCOMPARE(PreviewDiff("abc", "axc").differingCount(), 1);
    QCOMPARE(PreviewDiff("abc", "abcde").differingCount(), 2);
}

void TestPreviewDiff::marksRuns()
{
    const PreviewDiff difference("name: Anna", "name: xxxx");
    QCOMPARE(difference.asText(PreviewDiff::Original).differing, (QList<TextSpan>{{6, 4}}));
    QCOMPARE(difference.asText(PreviewDiff::Scrubbed).differing, (QList<TextSpan>{{6, 4}}));
}

void TestPreviewDiff::differentLengths()
{
    const PreviewDiff difference("ab", "abcd");
    QVERIFY(difference.asText(PreviewDiff::Original).differing.isEmpty());
    QCOMPARE(difference.asText(PreviewDiff::Scrubbed).differing, (QList<TextSpan>{{2, 2}}));
}

void TestPreviewDiff::multiByteCharacters()
{
    const PreviewDiff difference("Müller", "xxxxxxx");
    const MarkedText text = difference.asText(PreviewDiff::Original);
    QCOMPARE(text.text, u"Müller"_s);
    QCOMPARE(text.differing, (QList<TextSpan>{{0, 6}}));
    // One byte of the character differs: the whole character is marked.
    QCOMPARE(PreviewDiff("\xc3\xbc", "\xc3\xa4").asText(PreviewDiff::Original).differing, (QList<TextSpan>{{0, 1}}));
}

void TestPreviewDiff::binary()
{
    QVERIFY(PreviewDiff("plain text\n", "xxxxx xxxx\n").looksLikeText());
    QVERIFY(!PreviewDiff(QByteArray("\x00\x01\x02\xff\xfe", 5), QByteArray("\x00\x01\x02\xff\xfe", 5)).looksLikeText());
    // An excerpt may end in the middle of a character.
    QVERIFY(PreviewDiff(QByteArray("some text that ends in m\xc3"), {}).looksLikeText());
}

void TestPreviewDiff::hexadecimal()
{
    const PreviewDiff difference("12345678A", "12345678B");
    const MarkedText text = difference.asHex(PreviewDiff::Original);
    QCOMPARE(text.text, u"31 32 33 34 35 36 37 38  12345678\n41                       A"_s);
    QCOMPARE(text.differing.size(), 2);
    for (const TextSpan &span : text.differing)
        QVERIFY(text.text.mid(span.start, span.length) == u"41"_s || text.text.mid(span.start, span.length) == u"A"_s);
}

void TestPreviewDiff::nothingIsHidden()
{
    const PreviewDiff difference(QByteArray("a\0b\x1b[2K\xe2\x80\xae z\xff", 13), {});
    const QString text = difference.asText(PreviewDiff::Original).text;
    QVERIFY(!text.contains(QChar(0)) && !text.contains(QChar(0x1b)) && !text.contains(QChar(0x202e)));
    QVERIFY(text.count(u'·') == 2);
}

void TestPreviewDiff::empty()
{
    const PreviewDiff difference({}, {});
    QVERIFY(difference.asText(PreviewDiff::Original).text.isEmpty());
    QVERIFY(difference.asHex(PreviewDiff::Scrubbed).text.isEmpty());
    QCOMPARE(difference.differingCount(), 0);
}

QTEST_GUILESS_MAIN(TestPreviewDiff)
#include "tst_previewdiff.moc"
