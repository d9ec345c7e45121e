// SPDX-License-Identifier: GPL-3.0-or-later
#include "listpage.h"

#include "emptypage.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

namespace Tacet {

namespace {

void setUpTable(QTableView *table)
{
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setAlternatingRowColors(true);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() * 7 / 4);
    // On a small screen the column that takes the rest of the width would shrink to nothing.
    table->horizontalHeader()->setMinimumSectionSize(table->fontMetrics().averageCharWidth() * 14);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeading | Qt::AlignVCenter);
}

} // namespace

ListPage::ListPage(const QString &title, const QString &text, const QString &step, QWidget *parent)
    : QWidget(parent), m_stack(new QStackedLayout(this)), m_empty(new EmptyPage(title, text, step, this)), m_layout(new QVBoxLayout),
      m_above(new QHBoxLayout)
{
    auto *list = new QWidget(this);
    m_layout->setContentsMargins({});
    m_layout->addLayout(m_above);
    list->setLayout(m_layout);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(list);
    connect(m_empty, &EmptyPage::stepRequested, this, &ListPage::firstStepRequested);
}

QLineEdit *ListPage::addFilter(const QString &name, const QString &placeholder, const QString &accessibleName)
{
    auto *filter = new QLineEdit(this);
    filter->setObjectName(name);
    filter->setPlaceholderText(placeholder);
    filter->setAccessibleName(accessibleName);
    filter->setClearButtonEnabled(true);
    m_above->addWidget(filter, 1);
    return filter;
}

QPushButton *ListPage::addButton(const QString &icon, const QString &text, const QString &name)
{
    auto *button = new QPushButton(icon.isEmpty() ? QIcon() : QIcon::fromTheme(icon), text, this);
    button->setObjectName(name);
    m_above->addWidget(button);
    return button;
}

void ListPage::addAbove(QWidget *widget)
{
    m_above->addWidget(widget);
}

void ListPage::addSpaceAbove()
{
    m_above->addStretch(1);
}

QHBoxLayout *ListPage::below()
{
    if (!m_below) {
        m_below = new QHBoxLayout;
        m_layout->addLayout(m_below);
    }
    return m_below;
}

void ListPage::addBelow(QWidget *widget)
{
    below()->addWidget(widget);
}

void ListPage::addSpaceBelow()
{
    below()->addStretch(1);
}

void ListPage::setList(QAbstractItemView *list, QAbstractItemModel *model, const QString &name, const QString &accessibleName)
{
    m_list = list;
    list->setObjectName(name);
    list->setAccessibleName(accessibleName);
    list->setModel(model);
    if (auto *table = qobject_cast<QTableView *>(list))
        setUpTable(table);
    m_layout->insertWidget(1, list, 1);
    connect(list->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { refreshButtons(); });
}

void ListPage::setEmpty(bool empty)
{
    m_stack->setCurrentIndex(empty ? 0 : 1);
}

void ListPage::setListUsable(const QString &whyNot)
{
    m_usable = whyNot.isEmpty();
    m_empty->setUnknown(whyNot);
    refreshButtons();
}

QModelIndexList ListPage::selectedRows() const
{
    return m_list->selectionModel()->selectedRows();
}

} // namespace Tacet
