// SPDX-License-Identifier: GPL-3.0-or-later
#include "activitypage.h"

#include "base/statuswords.h"
#include "gui/rules/ruleeditor.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

RuleDraft draftFrom(const LogEntry &entry)
{
    RuleDraft draft;
    draft.verdict = entry.verdict.value_or(Verdict::Block);
    draft.duration = Duration::Always;
    draft.scope.subjectKind = entry.file.isEmpty() ? SubjectKind::Any : SubjectKind::File;
    draft.scope.subject = entry.file;
    draft.scope.executable = entry.executable;
    draft.scope.sink = entry.isAboutChange() ? Sink::Marked : entry.sink;
    if (draft.scope.sink != Sink::Other)
        draft.scope.host = entry.host;
    draft.scope.port = entry.port;
    return draft;
}

} // namespace

void ActivityFilter::setKind(Kind kind)
{
    m_kind = kind;
    invalidateRowsFilter();
}

bool ActivityFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const LogEntry &entry = static_cast<ActivityModel *>(sourceModel())->entry(row);
    const auto decided = [&entry](Verdict verdict) { return entry.isDecision() && entry.verdict == verdict; };
    const auto fits = [this, &entry, &decided] {
        switch (m_kind) {
        case Everything:
            return true;
        case Decisions:
            return entry.isDecision();
        case Blocked:
            return decided(Verdict::Block) || decided(Verdict::Quit) || entry.kind == LogKind::Missed;
        case Allowed:
            return decided(Verdict::Allow) || entry.kind == LogKind::Paused;
        case Scrubbed:
            return decided(Verdict::Scrub) || decided(Verdict::Takeover);
        case Missed:
            return entry.kind == LogKind::Missed;
        case Labels:
            return entry.kind == LogKind::Labelled || entry.kind == LogKind::Unlabelled || entry.kind == LogKind::Derived;
        }
        Q_UNREACHABLE_RETURN(true);
    };
    return fits() && QSortFilterProxyModel::filterAcceptsRow(row, parent);
}

ActivityPage::ActivityPage(QWidget *parent)
    : ListPage(tr("Nothing has happened yet"),
               tr("Every decision about sensitive data is listed here: what was blocked, scrubbed or allowed, "
                  "by you or by a rule. You can make a rule of each."),
               {}, parent),
      m_model(new ActivityModel(this)), m_filtered(new ActivityFilter(this)),
      m_filter(addFilter(u"activityFilter"_s, tr("Filter by app, file or host"), tr("Show only entries that contain"))),
      m_kind(new QComboBox(this)), m_table(new QTableView(this))
{
    setObjectName(u"activityPage"_s);
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterRole(ActivityModel::SearchRole);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    fillKinds();
    addAbove(m_kind);
    m_always = addButton({}, tr("Always &do this…"), u"alwaysButton"_s);
    m_always->setToolTip(tr("Makes a rule of the selected decision"));
    buildTable();

    connect(m_filter, &QLineEdit::textChanged, m_filtered, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_kind, &QComboBox::currentIndexChanged, this,
            [this] { m_filtered->setKind(m_kind->currentData().value<ActivityFilter::Kind>()); });
    connect(m_always, &QPushButton::clicked, this, &ActivityPage::editRule);
    connect(m_table, &QTableView::doubleClicked, this, &ActivityPage::editRule);
    connect(m_model, &ActivityModel::loaded, this, &ActivityPage::onLoaded);
    setUsable(StatusWords::whyUnusable({}));
}

void ActivityPage::fillKinds()
{
    m_kind->setObjectName(u"activityKind"_s);
    m_kind->setAccessibleName(tr("Which entries are shown"));
    const auto add = [this](const QString &text, ActivityFilter::Kind kind) { m_kind->addItem(text, QVariant::fromValue(kind)); };
    add(tr("Everything"), ActivityFilter::Everything);
    add(tr("Decisions"), ActivityFilter::Decisions);
    add(tr("Blocked"), ActivityFilter::Blocked);
    add(tr("Allowed"), ActivityFilter::Allowed);
    add(tr("Scrubbed"), ActivityFilter::Scrubbed);
    add(tr("Missed"), ActivityFilter::Missed);
    add(tr("Sensitive files"), ActivityFilter::Labels);
}

void ActivityPage::buildTable()
{
    setList(m_table, m_filtered, u"activityTable"_s, tr("Activity"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    const int character = fontMetrics().averageCharWidth();
    m_table->setColumnWidth(ActivityModel::When, character * 22);
    m_table->setColumnWidth(ActivityModel::Event, character * 38);
    m_table->setColumnWidth(ActivityModel::App, character * 14);
    m_table->setColumnWidth(ActivityModel::Destination, character * 22);
    m_table->horizontalHeader()->setSectionResizeMode(ActivityModel::File, QHeaderView::Stretch);
}

void ActivityPage::setUsable(const QString &whyNot)
{
    if (!whyNot.isEmpty())
        m_model->forgetRequest();
    setListUsable(whyNot);
}

void ActivityPage::onLoaded()
{
    setEmpty(m_model->rowCount() == 0);
}

const LogEntry *ActivityPage::selectedEntry() const
{
    const auto rows = selectedRows();
    return rows.isEmpty() ? nullptr : &m_model->entry(m_filtered->mapToSource(rows.constFirst()).row());
}

void ActivityPage::refreshButtons()
{
    const LogEntry *entry = selectedEntry();
    m_always->setEnabled(isUsable() && entry && entry->isDecision());
}

void ActivityPage::editRule()
{
    const LogEntry *entry = selectedEntry();
    if (!isUsable() || !entry || !entry->isDecision())
        return;
    auto *editor = new RuleEditor(draftFrom(*entry), this);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    connect(editor, &RuleEditor::accepted, this, [this, editor] { Q_EMIT ruleChosen(editor->draft()); });
    editor->open();
}

} // namespace Tacet
