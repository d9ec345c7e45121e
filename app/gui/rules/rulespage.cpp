// SPDX-License-Identifier: GPL-3.0-or-later
#include "rulespage.h"

#include "base/rulewords.h"
#include "base/statuswords.h"
#include "gui/common/confirm.h"
#include "ruleeditor.h"
#include "rulesmodel.h"

#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSortFilterProxyModel>

using namespace Qt::StringLiterals;

namespace Tacet {

RulesPage::RulesPage(QWidget *parent)
    : ListPage(tr("There are no rules yet"),
               tr("A rule answers a question before it is asked: which app may send which data where. Answers "
                  "that you give for longer than once appear here, and you can write your own."),
               tr("&Add a rule…"), parent),
      m_model(new RulesModel(this)), m_filtered(new QSortFilterProxyModel(this)),
      m_filter(addFilter(u"rulesFilter"_s, tr("Filter rules"), tr("Show only rules that contain"))),
      m_add(addButton(u"list-add"_s, tr("&Add…"), u"addRuleButton"_s)),
      m_edit(addButton(u"document-edit"_s, tr("&Edit…"), u"editRuleButton"_s)),
      m_remove(addButton(u"list-remove"_s, tr("Re&move…"), u"removeRuleButton"_s)), m_list(new QListView(this))
{
    setObjectName(u"rulesPage"_s);
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    buildList();

    connect(m_filter, &QLineEdit::textChanged, m_filtered, &QSortFilterProxyModel::setFilterFixedString);
    connect(this, &RulesPage::firstStepRequested, this, &RulesPage::addRule);
    connect(m_add, &QPushButton::clicked, this, &RulesPage::addRule);
    connect(m_edit, &QPushButton::clicked, this, &RulesPage::editRule);
    connect(m_remove, &QPushButton::clicked, this, &RulesPage::confirmRemove);
    connect(m_list, &QListView::doubleClicked, this, &RulesPage::editRule);
    setListUsable(StatusWords::whyUnusable({}));
}

// Not a table: a rule is a sentence, which may need several lines.
void RulesPage::buildList()
{
    setList(m_list, m_filtered, u"rulesList"_s, tr("Rules"));
    m_list->setWordWrap(true);
    m_list->setAlternatingRowColors(true);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setSpacing(fontMetrics().height() / 6);
    m_list->setIconSize({22, 22});
}

void RulesPage::setState(const DaemonState &state)
{
    const Rule *before = selectedRule();
    const quint64 selected = before ? before->id : 0;
    m_model->setRules(state.rules);
    select(selected);
    setEmpty(state.rules.isEmpty());
    setListUsable(StatusWords::whyUnusable(state));
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
    const auto rows = selectedRows();
    return rows.isEmpty() ? nullptr : &m_model->rule(m_filtered->mapToSource(rows.constFirst()).row());
}

void RulesPage::refreshButtons()
{
    const bool selected = selectedRule();
    m_add->setEnabled(isUsable());
    m_edit->setEnabled(isUsable() && selected);
    m_remove->setEnabled(isUsable() && selected);
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
    if (!isUsable() || !rule)
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
    confirm(this, {.name = u"removeRuleQuestion"_s,
                   .title = tr("Remove rule"),
                   .question = tr("Remove this rule?"),
                   .details = RuleWords::sentence(*rule, RuleWords::Plain),
                   .buttons = {{tr("&Remove"), u"removeRuleAcceptButton"_s, QMessageBox::AcceptRole,
                                [this, id = rule->id] { Q_EMIT removeRequested(id); }}}});
}

} // namespace Tacet
