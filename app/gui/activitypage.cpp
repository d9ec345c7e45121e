// SPDX-License-Identifier: GPL-3.0-or-later
#include "activitypage.h"

#include "emptypage.h"
#include "listtable.h"
#include "ruleeditor.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

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
    draft.scope.changes = entry.isAboutChange();
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
        case Marks:
            return entry.kind == LogKind::Labelled || entry.kind == LogKind::Unlabelled || entry.kind == LogKind::Derived;
        }
        Q_UNREACHABLE_RETURN(true);
    };
    return fits() && QSortFilterProxyModel::filterAcceptsRow(row, parent);
}

ActivityPage::ActivityPage(QWidget *parent)
    : QWidget(parent)
    , m_model(new ActivityModel(this))
    , m_filtered(new ActivityFilter(this))
    , m_stack(new QStackedLayout(this))
    , m_empty(new EmptyPage(tr("Nothing has happened yet"),
                            tr("Every decision about sensitive data is listed here: what was blocked, scrubbed or allowed, "
                               "by you or by a rule. You can make a rule of each."),
                            {}, this))
    , m_table(new QTableView(this))
    , m_filter(new QLineEdit(this))
    , m_kind(new QComboBox(this))
    , m_always(new QPushButton(tr("Always &do this…"), this))
{
    setObjectName(u"activityPage"_s);
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterRole(ActivityModel::SearchRole);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(buildList());

    connect(m_filter, &QLineEdit::textChanged, m_filtered, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_kind, &QComboBox::currentIndexChanged, this,
            [this] { m_filtered->setKind(m_kind->currentData().value<ActivityFilter::Kind>()); });
    connect(m_always, &QPushButton::clicked, this, &ActivityPage::editRule);
    connect(m_table, &QTableView::doubleClicked, this, &ActivityPage::editRule);
    connect(m_model, &ActivityModel::loaded, this, &ActivityPage::onLoaded);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ActivityPage::refreshButtons);
    refreshButtons();
}

QWidget *ActivityPage::buildList()
{
    m_filter->setObjectName(u"activityFilter"_s);
    m_filter->setAccessibleName(tr("Show only entries that contain"));
    m_filter->setPlaceholderText(tr("Filter by app, file or host"));
    m_filter->setClearButtonEnabled(true);
    m_always->setObjectName(u"alwaysButton"_s);
    m_always->setToolTip(tr("Makes a rule of the selected decision"));
    fillKinds();
    buildTable();

    auto *list = new QWidget(this);
    auto *top = new QHBoxLayout;
    top->addWidget(m_filter, 1);
    top->addWidget(m_kind);
    top->addWidget(m_always);
    auto *layout = new QVBoxLayout(list);
    layout->setContentsMargins({});
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    return list;
}

void ActivityPage::fillKinds()
{
    m_kind->setObjectName(u"activityKind"_s);
    m_kind->setAccessibleName(tr("Which entries are shown"));
    const auto add = [this](const QString &text, ActivityFilter::Kind kind) {
        m_kind->addItem(text, QVariant::fromValue(kind));
    };
    add(tr("Everything"), ActivityFilter::Everything);
    add(tr("Decisions"), ActivityFilter::Decisions);
    add(tr("Blocked"), ActivityFilter::Blocked);
    add(tr("Allowed"), ActivityFilter::Allowed);
    add(tr("Scrubbed"), ActivityFilter::Scrubbed);
    add(tr("Missed"), ActivityFilter::Missed);
    add(tr("Marks"), ActivityFilter::Marks);
}

void ActivityPage::buildTable()
{
    m_table->setObjectName(u"activityTable"_s);
    m_table->setAccessibleName(tr("Activity"));
    m_table->setModel(m_filtered);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    setUpListTable(m_table);
    const int character = fontMetrics().averageCharWidth();
    m_table->setColumnWidth(ActivityModel::When, character * 22);
    m_table->setColumnWidth(ActivityModel::Event, character * 38);
    m_table->setColumnWidth(ActivityModel::App, character * 14);
    m_table->setColumnWidth(ActivityModel::Destination, character * 22);
    m_table->horizontalHeader()->setSectionResizeMode(ActivityModel::File, QHeaderView::Stretch);
}

void ActivityPage::setUsable(bool usable)
{
    m_usable = usable;
    if (!usable)
        m_model->forgetRequest();
    refreshButtons();
}

void ActivityPage::onLoaded()
{
    m_stack->setCurrentIndex(m_model->rowCount() > 0 ? 1 : 0);
}

const LogEntry *ActivityPage::selectedEntry() const
{
    const auto rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? nullptr : &m_model->entry(m_filtered->mapToSource(rows.constFirst()).row());
}

void ActivityPage::refreshButtons()
{
    const LogEntry *entry = selectedEntry();
    m_always->setEnabled(m_usable && entry && entry->isDecision());
}

void ActivityPage::editRule()
{
    const LogEntry *entry = selectedEntry();
    if (!m_usable || !entry || !entry->isDecision())
        return;
    auto *editor = new RuleEditor(draftFrom(*entry), this);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    connect(editor, &RuleEditor::accepted, this, [this, editor] { Q_EMIT ruleChosen(editor->draft()); });
    editor->open();
}

} // namespace Tacet
