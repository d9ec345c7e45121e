// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the data that would be sent beside the scrubbed copy, with differing bytes highlighted.
#pragma once

#include "base/previewdiff.h"
#include "base/question.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPlainTextEdit;

namespace Tacet {

class PreviewPane : public QWidget
{
    Q_OBJECT

public:
    explicit PreviewPane(QWidget *parent = nullptr);

    void setQuestion(const Question &question);

private:
    QPlainTextEdit *addView(const QString &name, const QString &accessibleName);
    void buildLayout();
    void render();
    void fill(QPlainTextEdit *view, const MarkedText &marked);
    QString summary(const Question &question) const;

    PreviewDiff m_difference{{}, {}};
    QComboBox *m_format;
    QLabel *m_summary;
    QLabel *m_originalTitle;
    QLabel *m_scrubbedTitle;
    QPlainTextEdit *m_original;
    QPlainTextEdit *m_scrubbed;
};

} // namespace Tacet
