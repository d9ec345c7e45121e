// SPDX-License-Identifier: GPL-3.0-or-later
#include "questiondetails.h"

#include "base/questionwords.h"
#include "base/untrusted.h"
#include "base/words.h"
#include "gui/common/fixedfont.h"
#include "previewpane.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Tacet {

QuestionDetails::QuestionDetails(QWidget *parent) : QWidget(parent), m_form(new QFormLayout), m_preview(new PreviewPane(this))
{
    QFormLayout *form = m_form;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_executable = addLine(form, tr("Program:"), u"executableText"_s);
    addCommand(form);
    m_process = addLine(form, tr("Process:"), u"processText"_s);
    m_binary = addText(form, tr("Changed:"), u"binaryText"_s);
    m_file = addLine(form, tr("File:"), u"fileText"_s);
    m_label = addText(form, tr("Categories:"), u"labelText"_s);
    m_destination = addLine(form, tr("Destination:"), u"destinationText"_s);
    m_likeness = addText(form, tr("How sure:"), u"likenessText"_s);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    // The data that is about to leave comes first: on a small screen the rest scrolls.
    layout->addWidget(m_preview, 1);
    layout->addLayout(form);
}

// Read-only line edits: a long path scrolls instead of widening the window, can be copied, and is read by screen readers.
QLineEdit *QuestionDetails::addLine(QFormLayout *form, const QString &title, const QString &name)
{
    auto *line = new QLineEdit(this);
    line->setObjectName(name);
    line->setAccessibleName(title);
    line->setReadOnly(true);
    line->setFrame(false);
    QPalette colours = line->palette();
    colours.setColor(QPalette::Base, Qt::transparent);
    line->setPalette(colours);
    form->addRow(title, line);
    return line;
}

QLabel *QuestionDetails::addText(QFormLayout *form, const QString &title, const QString &name)
{
    auto *label = new QLabel(this);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    form->addRow(title, label);
    return label;
}

void QuestionDetails::addCommand(QFormLayout *form)
{
    const QString title = tr("Command line:");
    m_command = new QPlainTextEdit(this);
    m_command->setObjectName(u"commandText"_s);
    m_command->setAccessibleName(title);
    m_command->setReadOnly(true);
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_command->setTabChangesFocus(true);
    m_command->setFont(fixedFont());
    m_command->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_command->setLayoutDirection(Qt::LeftToRight);
    m_command->setFixedHeight(QFontMetrics(m_command->font()).lineSpacing() * 7 / 2);
    form->addRow(title, m_command);
}

void QuestionDetails::setQuestion(const Question &question)
{
    const auto setLine = [](QLineEdit *line, const QString &text) {
        line->setText(text);
        line->setCursorPosition(0);
    };
    setLine(m_executable, shown(question.executable, 4096));
    m_command->setPlainText(shownCommand(question.command));
    setLine(m_process, tr("%1, named “%2”, started by %3")
                           .arg(QString::number(question.pid), shown(question.comm, 40),
                                question.parent.isEmpty() ? tr("an unknown program") : shown(question.parent, 40)));
    m_binary->setText(question.binaryChanged ? tr("Yes, since your last answer") : tr("No"));
    setLine(m_file, question.file.isEmpty() ? tr("Not known") : shown(question.file, 4096));
    m_label->setText(Words::categories(question.categories));
    QString destination = shown(QuestionWords::destination(question), 300);
    if (!question.address.isEmpty() && question.address != question.host)
        destination = tr("%1 (address %2)").arg(destination, shown(question.address));
    if (!question.protocol.isEmpty())
        destination = tr("%1, %2").arg(destination, shown(question.protocol, 20).toUpper());
    setLine(m_destination, destination);
    m_likeness->setText(QuestionWords::likeness(question) + u' ' + QuestionWords::amounts(question));
    m_preview->setQuestion(question);
    // Nothing is sent: there is nothing to show of it, and nobody it goes to.
    m_preview->setVisible(!question.isChange());
    m_form->setRowVisible(m_destination, !question.isChange());
    m_form->setRowVisible(m_likeness, !question.isChange());
}

} // namespace Tacet
