// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a rule, and says it in words while it is written.
#pragma once

#include "base/rule.h"

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace Tacet {

class RuleEditor : public QDialog
{
    Q_OBJECT

public:
    explicit RuleEditor(const RuleDraft &draft, QWidget *parent = nullptr);

    RuleDraft draft() const;

private:
    void build();
    void addAbout();
    void addVerdicts();
    void addSubject(QFormLayout *form);
    void addApp(QFormLayout *form);
    void addDestination(QFormLayout *form);
    void addDurations();
    void fill(const RuleDraft &draft);
    void refresh();
    QString problem() const;
    static QString inWords(const RuleDraft &draft);
    SubjectKind subjectKind() const;
    Sink sink() const;
    bool hasTarget() const;
    void browse(QLineEdit *line, bool folder);
    QWidget *withButton(QLineEdit *line, QPushButton *button);

    RuleDraft m_before;
    QComboBox *m_about;
    QComboBox *m_verdict;
    QComboBox *m_subjectKind;
    QComboBox *m_category;
    QLineEdit *m_path;
    QPushButton *m_browse;
    QWidget *m_pathRow = nullptr;
    QLineEdit *m_executable;
    QLineEdit *m_host;
    QLineEdit *m_target; // a path, where the destination has one
    QSpinBox *m_port;
    QComboBox *m_duration;
    QLabel *m_words;
    QDialogButtonBox *m_buttons;
    QFormLayout *m_form;
};

} // namespace Tacet
