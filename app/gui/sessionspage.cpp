// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessionspage.h"

#include "confirm.h"
#include "emptypage.h"
#include "listtable.h"
#include "sessionsmodel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Tacet {

SessionsPage::SessionsPage(QWidget *parent)
    : QWidget(parent)
    , m_model(new SessionsModel(this))
    , m_stack(new QStackedLayout(this))
    , m_empty(new EmptyPage(tr("No program runs privately"),
                            tr("A program that runs privately sees your files and settings, but whatever it writes is gone "
                               "when it ends: files, history, caches. Before that you can pick out what you want to keep."),
                            tr("&Run a program privately…"), this))
    , m_table(new QTableView(this))
    , m_run(addButton(u"system-run"_s, tr("&Run privately…"), u"runPrivatelyButton"_s))
    , m_keep(addButton(u"document-save"_s, tr("&Keep files…"), u"keepFilesButton"_s))
    , m_end(addButton(u"process-stop"_s, tr("&End"), u"endSessionButton"_s))
    , m_endAll(addButton(u"edit-delete"_s, tr("End &all…"), u"endAllButton"_s))
{
    setObjectName(u"sessionsPage"_s);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(buildList());
    m_refresh.setInterval(2s);
    connect(&m_refresh, &QTimer::timeout, this, &SessionsPage::refreshRequested);
    connect(m_empty, &EmptyPage::stepRequested, this, &SessionsPage::runRequested);
    connect(m_run, &QPushButton::clicked, this, &SessionsPage::runRequested);
    connect(m_keep, &QPushButton::clicked, this, &SessionsPage::keepSelected);
    connect(m_end, &QPushButton::clicked, this, &SessionsPage::endSelected);
    connect(m_endAll, &QPushButton::clicked, this, &SessionsPage::confirmEndAll);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SessionsPage::refreshButtons);
    refreshButtons();
}

QPushButton *SessionsPage::addButton(const QString &icon, const QString &text, const QString &name)
{
    auto *button = new QPushButton(QIcon::fromTheme(icon), text, this);
    button->setObjectName(name);
    return button;
}

QWidget *SessionsPage::buildList()
{
    buildTable();
    auto *list = new QWidget(this);
    auto *top = new QHBoxLayout;
    top->addWidget(m_run);
    top->addStretch(1);
    for (QPushButton *button : {m_keep, m_end, m_endAll})
        top->addWidget(button);
    auto *layout = new QVBoxLayout(list);
    layout->setContentsMargins({});
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    return list;
}

void SessionsPage::buildTable()
{
    m_table->setObjectName(u"sessionsTable"_s);
    m_table->setAccessibleName(tr("Private sessions"));
    m_table->setModel(m_model);
    setUpListTable(m_table);
    const int character = fontMetrics().averageCharWidth();
    for (const auto &[column, width] : {std::pair(SessionsModel::State, 22),
                                        {SessionsModel::Since, 18},
                                        {SessionsModel::Written, 22},
                                        {SessionsModel::Memory, 14},
                                        {SessionsModel::Swap, 13},
                                        {SessionsModel::Network, 11}})
        m_table->setColumnWidth(column, character * width);
    m_table->horizontalHeader()->setSectionResizeMode(SessionsModel::Application, QHeaderView::Stretch);
}

void SessionsPage::setState(const DaemonState &state)
{
    m_usable = state.isReady();
    m_model->setSessions(state.sessions);
    m_stack->setCurrentIndex(state.sessions.isEmpty() ? 0 : 1);
    refreshButtons();
}

QList<quint64> SessionsPage::selected() const
{
    QList<quint64> ids;
    const auto rows = m_table->selectionModel()->selectedRows();
    for (const QModelIndex &row : rows)
        ids.append(row.data(SessionsModel::IdRole).toULongLong());
    return ids;
}

void SessionsPage::refreshButtons()
{
    const qsizetype count = selected().size();
    m_empty->setStepEnabled(m_usable);
    m_run->setEnabled(m_usable);
    m_keep->setEnabled(m_usable && count == 1);
    m_end->setEnabled(m_usable && count > 0);
    m_endAll->setEnabled(m_usable && m_model->rowCount() > 0);
}

void SessionsPage::endSelected()
{
    const QList<quint64> ids = selected();
    if (ids.isEmpty())
        return;
    const auto endThem = [this, ids] {
        for (const quint64 id : ids)
            Q_EMIT endRequested(id);
    };
    confirm(this,
            {.name = u"endQuestion"_s,
             .title = tr("End the session?"),
             .question = tr("End %n private session(s)?", nullptr, int(ids.size())),
             .details = tr("The programs are stopped at once, and all that they wrote is gone."),
             .buttons = {{tr("&End"), u"endAcceptButton"_s, QMessageBox::DestructiveRole, endThem}}});
}

void SessionsPage::keepSelected()
{
    const QList<quint64> ids = selected();
    if (ids.size() == 1)
        Q_EMIT keepRequested(ids.first());
}

void SessionsPage::confirmEndAll()
{
    confirm(this,
            {.name = u"endAllQuestion"_s,
             .title = tr("End all sessions?"),
             .question = tr("End every private session?"),
             .details = tr("The programs are stopped at once, and all that they wrote is gone."),
             .buttons = {{tr("End &all"), u"endAllAcceptButton"_s, QMessageBox::DestructiveRole,
                          [this] { Q_EMIT endAllRequested(); }}}});
}

void SessionsPage::showEvent(QShowEvent *event)
{
    m_refresh.start();
    Q_EMIT refreshRequested();
    QWidget::showEvent(event);
}

void SessionsPage::hideEvent(QHideEvent *event)
{
    m_refresh.stop();
    QWidget::hideEvent(event);
}

} // namespace Tacet
