// SPDX-License-Identifier: GPL-3.0-or-later
// The details of a question, shown on demand.
#pragma once

#include "base/question.h"

#include <QWidget>

class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace Tacet {

class PreviewPane;

class QuestionDetails : public QWidget
{
    Q_OBJECT

public:
    explicit QuestionDetails(QWidget *parent = nullptr);

    void setQuestion(const Question &question);

private:
    QLineEdit *addLine(QFormLayout *form, const QString &title, const QString &name);
    QLabel *addText(QFormLayout *form, const QString &title, const QString &name);
    void addCommand(QFormLayout *form);

    QFormLayout *m_form;
    QLineEdit *m_executable;
    QPlainTextEdit *m_command = nullptr;
    QLineEdit *m_process;
    QLineEdit *m_file;
    QLineEdit *m_destination;
    QLabel *m_binary;
    QLabel *m_label;
    QLabel *m_likeness;
    PreviewPane *m_preview;
};

} // namespace Tacet
