// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessionspage.h"

#include "base/statuswords.h"
#include "gui/common/confirm.h"
#include "sessionsmodel.h"

#include <QHeaderView>
#include <QPushButton>
#include <QTableView>

#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Tacet {

SessionsPage::SessionsPage(QWidget *parent)
    : ListPage(tr("No program runs privately"),
               tr("A program that runs privately sees your files and settings, but whatever it writes is gone "
                  "when it ends: files, history, caches. Before that you can pick out what you want to keep."),
               tr("&Run a program privately…"), parent),
      m_model(new SessionsModel(this)), m_table(new QTableView(this))
{
    setObjectName(u"sessionsPage"_s);
    buildBar();
    buildTable();
    m_refresh.setInterval(2s);
    connect(&m_refresh, &QTimer::timeout, this, &SessionsPage::refreshRequested);
    connect(this, &SessionsPage::firstStepRequested, this, &SessionsPage::runRequested);
    connect(m_run, &QPushButton::clicked, this, &SessionsPage::runRequested);
    connect(m_keep, &QPushButton::clicked, this, &SessionsPage::keepSelected);
    connect(m_end, &QPushButton::clicked, this, &SessionsPage::endSelected);
    connect(m_endAll, &QPushButton::clicked, this, &SessionsPage::confirmEndAll);
    setListUsable(StatusWords::whyUnusable({}));
}

void SessionsPage::buildBar()
{
    m_run = addButton(u"system-run"_s, tr("&Run privately…"), u"runPrivatelyButton"_s);
    addSpaceAbove();
    m_keep = addButton(u"document-save"_s, tr("&Keep files…"), u"keepFilesButton"_s);
    m_end = addButton(u"process-stop"_s, tr("&End"), u"endSessionButton"_s);
    m_endAll = addButton(u"edit-delete"_s, tr("End &all…"), u"endAllButton"_s);
}

void SessionsPage::buildTable()
{
    setList(m_table, m_model, u"sessionsTable"_s, tr("Private sessions"));
    const int character = fontMetrics().averageCharWidth();
    for (const auto &[column, width] : {std::pair(SessionsModel::State, 20),
                                        {SessionsModel::Since, 14},
                                        {SessionsModel::Written, 20},
                                        {SessionsModel::Memory, 14},
                                        {SessionsModel::Swap, 14},
                                        {SessionsModel::Network, 14}})
        m_table->setColumnWidth(column, character * width);
    m_table->horizontalHeader()->setSectionResizeMode(SessionsModel::Application, QHeaderView::Stretch);
}

void SessionsPage::setState(const DaemonState &state)
{
    m_model->setSessions(state.sessions);
    setEmpty(state.sessions.isEmpty());
    setListUsable(StatusWords::whyUnusable(state));
}

QList<quint64> SessionsPage::selected() const
{
    QList<quint64> ids;
    const auto rows = selectedRows();
    for (const QModelIndex &row : rows)
        ids.append(row.data(SessionsModel::IdRole).toULongLong());
    return ids;
}

void SessionsPage::refreshButtons()
{
    const qsizetype count = selected().size();
    m_run->setEnabled(isUsable());
    m_keep->setEnabled(isUsable() && count == 1);
    m_end->setEnabled(isUsable() && count > 0);
    m_endAll->setEnabled(isUsable() && m_model->rowCount() > 0);
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
    confirm(this, {.name = u"endQuestion"_s,
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
             .buttons = {{tr("End &all"), u"endAllAcceptButton"_s, QMessageBox::DestructiveRole, [this] { Q_EMIT endAllRequested(); }}}});
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
