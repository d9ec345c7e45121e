// SPDX-License-Identifier: GPL-3.0-or-later
#include "rulespage.h"

#include "base/rulewords.h"
#include "confirm.h"
#include "emptypage.h"
#include "ruleeditor.h"
#include "rulesmodel.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Tacet {

RulesPage::RulesPage(QWidget *parent)
    : QWidget(parent)
    , m_model(new RulesModel(this))
    , m_filtered(new QSortFilterProxyModel(this))
    , m_stack(new QStackedLayout(this))
    , m_empty(new EmptyPage(tr("There are no rules yet"),
                            tr("A rule answers a question before it is asked: which app may send which data where. Answers "
                               "that you give for longer than once appear here, and you can write your own."),
                            tr("&Add a rule…"), this))
    , m_list(new QListView(this))
    , m_filter(new QLineEdit(this))
    , m_add(addButton(u"list-add"_s, tr("&Add…"), u"addRuleButton"_s))
    , m_edit(addButton(u"document-edit"_s, tr("&Edit…"), u"editRuleButton"_s))
    , m_remove(addButton(u"list-remove"_s, tr("Re&move…"), u"removeRuleButton"_s))
{
    setObjectName(u"rulesPage"_s);
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(buildList());

    connect(m_filter, &QLineEdit::textChanged, m_filtered, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_empty, &EmptyPage::stepRequested, this, &RulesPage::addRule);
    connect(m_add, &QPushButton::clicked, this, &RulesPage::addRule);
    connect(m_edit, &QPushButton::clicked, this, &RulesPage::editRule);
    connect(m_remove, &QPushButton::clicked, this, &RulesPage::confirmRemove);
    connect(m_list, &QListView::doubleClicked, this, &RulesPage::editRule);
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RulesPage::refreshButtons);
    refreshButtons();
}

QPushButton *RulesPage::addButton(const QString &icon, const QString &text, const QString &name)
{
    auto *button = new QPushButton(QIcon::fromTheme(icon), text, this);
    button->setObjectName(name);
    return button;
}

QWidget *RulesPage::buildList()
{
    m_filter->setObjectName(u"rulesFilter"_s);
    m_filter->setAccessibleName(tr("Show only rules that contain"));
    m_filter->setPlaceholderText(tr("Filter rules"));
    m_filter->setClearButtonEnabled(true);
    m_list->setObjectName(u"rulesList"_s);
    m_list->setAccessibleName(tr("Rules"));
    m_list->setModel(m_filtered);
    m_list->setWordWrap(true);
    m_list->setAlternatingRowColors(true);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setSpacing(fontMetrics().height() / 6);
    m_list->setIconSize({22, 22});

    auto *list = new QWidget(this);
    auto *top = new QHBoxLayout;
    top->addWidget(m_filter, 1);
    for (QPushButton *button : {m_add, m_edit, m_remove})
        top->addWidget(button);
    auto *layout = new QVBoxLayout(list);
    layout->setContentsMargins({});
    layout->addLayout(top);
    layout->addWidget(m_list, 1);
    return list;
}

void RulesPage::setState(const DaemonState &state)
{
    m_usable = state.isReady();
    const Rule *before = selectedRule();
    const quint64 selected = before ? before->id : 0;
    m_model->setRules(state.rules);
    select(selected);
    m_stack->setCurrentIndex(state.rules.isEmpty() ? 0 : 1);
    refreshButtons();
}

void RulesPage::select(quint64 id)
{
    for (int row = 0; row < m_filtered->rowCount(); ++row) {
        const QModelIndex index = m_filtered->index(row, 0);
        if (m_model->rule(m_filtered->mapToSource(index).row()).id == id)
            m_list->setCurrentIndex(index);
    }
}

const Rule *RulesPage::selectedRule() const
{
    const auto rows = m_list->selectionModel()->selectedIndexes();
    return rows.isEmpty() ? nullptr : &m_model->rule(m_filtered->mapToSource(rows.constFirst()).row());
}

void RulesPage::refreshButtons()
{
    const bool selected = selectedRule();
    m_add->setEnabled(m_usable);
    m_empty->setStepEnabled(m_usable);
    m_edit->setEnabled(m_usable && selected);
    m_remove->setEnabled(m_usable && selected);
}

void RulesPage::addRule()
{
    auto *editor = new RuleEditor({}, this);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    connect(editor, &RuleEditor::accepted, this, [this, editor] { Q_EMIT addRequested(editor->draft()); });
    editor->open();
}

void RulesPage::editRule()
{
    const Rule *rule = selectedRule();
    if (!m_usable || !rule)
        return;
    auto *editor = new RuleEditor(rule->draft, this);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    connect(editor, &RuleEditor::accepted, this, [this, editor, before = *rule] {
        if (editor->draft() != before.draft)
            Q_EMIT replaceRequested(before.id, editor->draft());
    });
    editor->open();
}

void RulesPage::confirmRemove()
{
    const Rule *rule = selectedRule();
    if (!rule)
        return;
    confirm(this,
            {.name = u"removeRuleQuestion"_s,
             .title = tr("Remove rule"),
             .question = tr("Remove this rule?"),
             .details = RuleWords::sentence(*rule, RuleWords::Plain),
             .buttons = {{tr("&Remove"), u"removeRuleAcceptButton"_s, QMessageBox::AcceptRole,
                          [this, id = rule->id] { Q_EMIT removeRequested(id); }}}});
}

} // namespace Tacet
