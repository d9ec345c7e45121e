// SPDX-License-Identifier: GPL-3.0-or-later
#include "ruleeditor.h"

#include "base/labelledfile.h"
#include "base/rulewords.h"
#include "base/words.h"
#include "gui/common/confirm.h"
#include "gui/common/fittoscreen.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Tacet {

RuleEditor::RuleEditor(const RuleDraft &draft, QWidget *parent)
    : QDialog(parent), m_about(new QComboBox(this)), m_verdict(new QComboBox(this)), m_subjectKind(new QComboBox(this)),
      m_category(new QComboBox(this)), m_path(new QLineEdit(this)), m_browse(new QPushButton(tr("&Browse…"), this)),
      m_executable(new QLineEdit(this)), m_host(new QLineEdit(this)), m_target(new QLineEdit(this)), m_port(new QSpinBox(this)),
      m_duration(new QComboBox(this)), m_words(new QLabel(this)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this)), m_form(new QFormLayout)
{
    setObjectName(u"ruleEditor"_s);
    setWindowTitle(tr("Rule"));
    build();
    fill(draft);
    m_before = this->draft();
    refresh();
}

void RuleEditor::build()
{
    addAbout();
    addVerdicts();
    addSubject(m_form);
    addApp(m_form);
    addDestination(m_form);
    addDurations();
    m_words->setObjectName(u"ruleWords"_s);
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::RichText);
    m_words->setAlignment(Qt::AlignTop | Qt::AlignLeading);
    m_words->setMinimumHeight(fontMetrics().lineSpacing() * 3);
    QPushButton *save = m_buttons->button(QDialogButtonBox::Save);
    save->setObjectName(u"saveRuleButton"_s);
    m_buttons->button(QDialogButtonBox::Cancel)->setObjectName(u"cancelRuleButton"_s);
    // Enter must not make a rule, nor open a file dialog on its way to the default button.
    const QList<QPushButton *> buttons = findChildren<QPushButton *>();
    for (QPushButton *button : buttons) {
        if (button != m_buttons->button(QDialogButtonBox::Cancel))
            refuseEnter(button);
    }
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    m_form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(m_form);
    layout->addWidget(m_words, 1);
    layout->addWidget(m_buttons);
    fitToScreen(this, {fontMetrics().averageCharWidth() * 80, sizeHint().height()});
}

void RuleEditor::addAbout()
{
    m_about->setObjectName(u"ruleAbout"_s);
    m_about->addItem(tr("Sending over the network"), QVariant::fromValue(Sink::Network));
    m_about->addItem(tr("Changing sensitive files"), QVariant::fromValue(Sink::Marked));
    m_about->addItem(tr("Writing to a device"), QVariant::fromValue(Sink::Device));
    m_about->addItem(tr("Writing to a drive that cannot keep marks"), QVariant::fromValue(Sink::File));
    m_about->addItem(tr("Connections that cannot be followed"), QVariant::fromValue(Sink::Other));
    m_form->addRow(tr("A&bout:"), m_about);
    connect(m_about, &QComboBox::currentIndexChanged, this, &RuleEditor::refresh);
}

void RuleEditor::addVerdicts()
{
    m_verdict->setObjectName(u"ruleVerdict"_s);
    for (const Verdict verdict : {Verdict::Block, Verdict::Scrub, Verdict::Allow, Verdict::Takeover, Verdict::Quit})
        m_verdict->addItem(Words::verdict(verdict), QVariant::fromValue(verdict));
    m_form->addRow(tr("&Answer:"), m_verdict);
    connect(m_verdict, &QComboBox::currentIndexChanged, this, &RuleEditor::refresh);
}

QWidget *RuleEditor::withButton(QLineEdit *line, QPushButton *button)
{
    auto *widget = new QWidget(this);
    auto *row = new QHBoxLayout(widget);
    row->setContentsMargins({});
    row->addWidget(line, 1);
    row->addWidget(button);
    return widget;
}

void RuleEditor::addSubject(QFormLayout *form)
{
    m_subjectKind->setObjectName(u"ruleSubjectKind"_s);
    m_subjectKind->addItem(tr("Any sensitive data"), QVariant::fromValue(SubjectKind::Any));
    m_subjectKind->addItem(tr("A file"), QVariant::fromValue(SubjectKind::File));
    m_subjectKind->addItem(tr("A folder"), QVariant::fromValue(SubjectKind::Folder));
    m_subjectKind->addItem(tr("A category"), QVariant::fromValue(SubjectKind::Label));
    m_path->setObjectName(u"rulePath"_s);
    m_path->setAccessibleName(tr("Path of the file or folder"));
    m_category->setObjectName(u"ruleCategory"_s);
    const QStringList categories = markableCategories();
    for (const QString &code : categories)
        m_category->addItem(Words::category(code), code);
    m_pathRow = withButton(m_path, m_browse);

    form->addRow(tr("&Data:"), m_subjectKind);
    form->addRow(tr("&Path:"), m_pathRow);
    form->addRow(tr("&Category:"), m_category);
    connect(m_subjectKind, &QComboBox::currentIndexChanged, this, &RuleEditor::refresh);
    connect(m_category, &QComboBox::currentIndexChanged, this, &RuleEditor::refresh);
    connect(m_path, &QLineEdit::textChanged, this, &RuleEditor::refresh);
    connect(m_browse, &QPushButton::clicked, this, [this] { browse(m_path, subjectKind() == SubjectKind::Folder); });
}

void RuleEditor::addApp(QFormLayout *form)
{
    m_executable->setObjectName(u"ruleExecutable"_s);
    m_executable->setPlaceholderText(tr("Any app"));
    m_executable->setAccessibleName(tr("Path of the program; empty for any app"));
    auto *browseApp = new QPushButton(tr("B&rowse…"), this);
    form->addRow(tr("A&pp:"), withButton(m_executable, browseApp));
    connect(m_executable, &QLineEdit::textChanged, this, &RuleEditor::refresh);
    connect(browseApp, &QPushButton::clicked, this, [this] { browse(m_executable, false); });
}

void RuleEditor::addDestination(QFormLayout *form)
{
    m_host->setObjectName(u"ruleHost"_s);
    m_host->setPlaceholderText(tr("Any host"));
    m_host->setAccessibleName(tr("Name or address of the host; empty for any host"));
    m_port->setObjectName(u"rulePort"_s);
    m_port->setRange(0, 65535);
    m_port->setSpecialValueText(tr("Any"));
    m_target->setObjectName(u"ruleTarget"_s);
    m_target->setAccessibleName(tr("Path of the device, file or folder; empty for any"));
    form->addRow(tr("&Host:"), m_host);
    form->addRow(tr("P&ort:"), m_port);
    form->addRow(tr("&To:"), m_target);
    connect(m_target, &QLineEdit::textChanged, this, &RuleEditor::refresh);
    connect(m_host, &QLineEdit::textChanged, this, &RuleEditor::refresh);
    connect(m_port, &QSpinBox::valueChanged, this, &RuleEditor::refresh);
}

void RuleEditor::addDurations()
{
    m_duration->setObjectName(u"ruleDuration"_s);
    for (const Duration duration : {Duration::Always, Duration::Reboot, Duration::Hour, Duration::Minutes15})
        m_duration->addItem(Words::duration(duration), QVariant::fromValue(duration));
    m_form->addRow(tr("How &long:"), m_duration);
    connect(m_duration, &QComboBox::currentIndexChanged, this, &RuleEditor::refresh);
}

void RuleEditor::browse(QLineEdit *line, bool folder)
{
    auto *dialog = new QFileDialog(this, folder ? tr("Choose a folder") : tr("Choose a file"), line->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, line, &QLineEdit::setText);
    dialog->open();
}

void RuleEditor::fill(const RuleDraft &draft)
{
    const auto select = [](QComboBox *combo, const QVariant &value) { combo->setCurrentIndex(qMax(0, combo->findData(value))); };
    select(m_about, QVariant::fromValue(draft.scope.sink));
    select(m_verdict, QVariant::fromValue(draft.verdict));
    select(m_subjectKind, QVariant::fromValue(draft.scope.subjectKind));
    select(m_duration, QVariant::fromValue(draft.duration));
    if (draft.scope.subjectKind == SubjectKind::Label) {
        // A category that this version has no word for keeps its code.
        if (m_category->findData(draft.scope.subject) < 0)
            m_category->addItem(Words::category(draft.scope.subject), draft.scope.subject);
        select(m_category, draft.scope.subject);
    } else {
        m_path->setText(draft.scope.subject);
    }
    m_executable->setText(draft.scope.executable);
    m_host->setText(draft.scope.sink == Sink::Network ? draft.scope.host : QString());
    m_target->setText(hasTarget() ? draft.scope.host : QString());
    m_port->setValue(draft.scope.port);
}

SubjectKind RuleEditor::subjectKind() const
{
    return m_subjectKind->currentData().value<SubjectKind>();
}

Sink RuleEditor::sink() const
{
    return m_about->currentData().value<Sink>();
}

bool RuleEditor::hasTarget() const
{
    return sink() == Sink::Device || sink() == Sink::File;
}

RuleDraft RuleEditor::draft() const
{
    RuleDraft draft;
    draft.verdict = m_verdict->currentData().value<Verdict>();
    draft.duration = m_duration->currentData().value<Duration>();
    draft.scope.subjectKind = subjectKind();
    if (subjectKind() == SubjectKind::Label)
        draft.scope.subject = m_category->currentData().toString();
    else if (subjectKind() != SubjectKind::Any)
        draft.scope.subject = m_path->text();
    draft.scope.executable = m_executable->text();
    draft.scope.sink = sink();
    if (hasTarget())
        draft.scope.host = m_target->text();
    if (sink() != Sink::Network)
        return draft;
    draft.scope.host = m_host->text().trimmed();
    draft.scope.port = quint16(m_port->value());
    return draft;
}

QString RuleEditor::problem() const
{
    const bool needsPath = subjectKind() == SubjectKind::File || subjectKind() == SubjectKind::Folder;
    if (needsPath && !m_path->text().startsWith(u'/'))
        return tr("Give the whole path, beginning with “/”.");
    if (!m_executable->text().isEmpty() && !m_executable->text().startsWith(u'/'))
        return tr("Give the whole path of the program, beginning with “/”; or leave it empty for any app.");
    const auto verdict = m_verdict->currentData().value<Verdict>();
    if (sink() == Sink::Marked)
        return verdict == Verdict::Scrub || verdict == Verdict::Takeover
                   ? tr("A change has no scrubbed copy: block it, allow it, or quit the app.")
                   : QString();
    if (hasTarget())
        return m_target->text().isEmpty() || m_target->text().startsWith(u'/') ? QString() : tr("Give the whole path, beginning with “/”.");
    if (sink() != Sink::Network)
        return {};
    if (m_host->text().trimmed().contains(u' ') || m_host->text().contains(u'/'))
        return tr("Give the name or the address of one host, without “http://”.");
    return {};
}

QString RuleEditor::inWords(const RuleDraft &draft)
{
    const QString sentence = RuleWords::sentence(draft, RuleWords::Rich);
    if (draft.verdict != Verdict::Takeover)
        return sentence;
    return sentence + u"<br>"_s
           + tr("Where a program cannot continue so, the scrubbed copy is sent; where there is none, it is blocked.").toHtmlEscaped();
}

void RuleEditor::refresh()
{
    const SubjectKind kind = subjectKind();
    m_form->setRowVisible(m_pathRow, kind == SubjectKind::File || kind == SubjectKind::Folder);
    m_form->setRowVisible(m_category, kind == SubjectKind::Label);
    m_form->setRowVisible(m_host, sink() == Sink::Network);
    m_form->setRowVisible(m_port, sink() == Sink::Network);
    m_form->setRowVisible(m_target, hasTarget());
    m_target->setPlaceholderText(sink() == Sink::Device ? tr("Any device") : tr("Any drive that cannot keep marks"));
    // Enter leaves a rule that nobody has touched. Later it does nothing, or what was written would be lost.
    m_buttons->button(QDialogButtonBox::Cancel)->setDefault(draft() == m_before);
    const QString wrong = problem();
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(wrong.isEmpty());
    m_words->setText(wrong.isEmpty() ? inWords(draft()) : wrong.toHtmlEscaped());
}

} // namespace Tacet
