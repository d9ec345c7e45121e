// SPDX-License-Identifier: GPL-3.0-or-later
#include "previewpane.h"

#include "base/words.h"
#include "gui/common/fixedfont.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>

using namespace Qt::StringLiterals;

namespace Tacet {

PreviewPane::PreviewPane(QWidget *parent)
    : QWidget(parent), m_format(new QComboBox(this)), m_summary(new QLabel(this)), m_originalTitle(new QLabel(this)),
      m_scrubbedTitle(new QLabel(this)), m_original(addView(u"previewOriginal"_s, tr("What would be sent"))),
      m_scrubbed(addView(u"previewScrubbed"_s, tr("What the scrubbed copy would send")))
{
    m_format->setObjectName(u"previewFormat"_s);
    m_format->setAccessibleName(tr("How the preview is shown"));
    m_format->addItem(tr("Text"));
    m_format->addItem(tr("Hexadecimal"));
    m_summary->setObjectName(u"previewSummary"_s);
    m_summary->setWordWrap(true);
    m_originalTitle->setText(tr("Would be sent:"));
    m_scrubbedTitle->setText(tr("Scrubbed copy:"));
    buildLayout();

    connect(m_format, &QComboBox::currentIndexChanged, this, &PreviewPane::render);
    const auto follow = [this](QPlainTextEdit *leader, QPlainTextEdit *follower) {
        connect(leader->verticalScrollBar(), &QScrollBar::valueChanged, follower->verticalScrollBar(), &QScrollBar::setValue);
    };
    follow(m_original, m_scrubbed);
    follow(m_scrubbed, m_original);
}

QPlainTextEdit *PreviewPane::addView(const QString &name, const QString &accessibleName)
{
    auto *view = new QPlainTextEdit(this);
    view->setObjectName(name);
    view->setAccessibleName(accessibleName);
    view->setReadOnly(true);
    view->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    view->setTabChangesFocus(true);
    view->setFont(fixedFont());
    // Bytes have one order, whatever direction the language has.
    view->setLayoutDirection(Qt::LeftToRight);
    view->setWordWrapMode(QTextOption::WrapAnywhere);
    const QFontMetrics metrics(view->font());
    // Wide enough for a line of the hexadecimal form; the default height is more than a small screen has left.
    view->setMinimumWidth(metrics.horizontalAdvance(u'0') * (PreviewDiff::bytesPerLine * 4 + 4));
    view->setFixedHeight(metrics.lineSpacing() * 10);
    return view;
}

void PreviewPane::buildLayout()
{
    auto *top = new QHBoxLayout;
    top->addWidget(m_summary, 1);
    top->addWidget(m_format);
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins({});
    layout->addLayout(top, 0, 0, 1, 2);
    layout->addWidget(m_originalTitle, 1, 0);
    layout->addWidget(m_scrubbedTitle, 1, 1);
    layout->addWidget(m_original, 2, 0);
    layout->addWidget(m_scrubbed, 2, 1);
    layout->setRowStretch(2, 1);
}

void PreviewPane::setQuestion(const Question &question)
{
    m_difference = PreviewDiff(question.preview, question.scrubbedPreview);
    m_summary->setText(summary(question));
    m_scrubbedTitle->setVisible(question.canSendScrubbed());
    m_scrubbed->setVisible(question.canSendScrubbed());
    m_format->setCurrentIndex(m_difference.looksLikeText() ? 0 : 1);
    render();
}

QString PreviewPane::summary(const Question &question) const
{
    QString text;
    if (question.canSendScrubbed())
        text = tr("%n differing byte(s) highlighted.", nullptr, int(m_difference.differingCount()));
    if (quint64(question.preview.size()) < question.length) {
        const QString excerpt =
            tr("The first %1 of %2 are shown.").arg(Words::bytes(quint64(question.preview.size())), Words::bytes(question.length));
        text += text.isEmpty() ? excerpt : u' ' + excerpt;
    }
    return text;
}

void PreviewPane::render()
{
    const bool hexadecimal = m_format->currentIndex() == 1;
    const auto side = [this, hexadecimal](PreviewDiff::Side which) {
        return hexadecimal ? m_difference.asHex(which) : m_difference.asText(which);
    };
    fill(m_original, side(PreviewDiff::Original));
    fill(m_scrubbed, side(PreviewDiff::Scrubbed));
}

void PreviewPane::fill(QPlainTextEdit *view, const MarkedText &marked)
{
    view->setPlainText(marked.text);
    // Everything differs where there is nothing to compare with: highlighting would say nothing.
    if (!m_scrubbed->isVisibleTo(this))
        return;
    QTextCharFormat format;
    // Not by colour alone.
    format.setFontUnderline(true);
    format.setForeground(palette().color(QPalette::HighlightedText));
    format.setBackground(palette().color(QPalette::Highlight));
    QList<QTextEdit::ExtraSelection> selections;
    for (const TextSpan &span : marked.differing) {
        QTextCursor cursor(view->document());
        cursor.setPosition(int(span.start));
        cursor.setPosition(int(span.start + span.length), QTextCursor::KeepAnchor);
        selections.append({cursor, format});
    }
    view->setExtraSelections(selections);
}

} // namespace Tacet
