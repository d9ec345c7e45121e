// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessionsmodel.h"

#include "base/sessionwords.h"
#include "base/untrusted.h"
#include "base/words.h"

#include <algorithm>

namespace Tacet {

bool SessionsModel::sameRows(const QList<PrivateSession> &sessions) const
{
    return std::ranges::equal(sessions, m_sessions, {}, &PrivateSession::id, &PrivateSession::id);
}

// A reset would lose the selection every two seconds.
void SessionsModel::setSessions(const QList<PrivateSession> &sessions)
{
    if (sessions == m_sessions)
        return;
    if (sameRows(sessions)) {
        m_sessions = sessions;
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    const auto isGone = [&sessions](const PrivateSession &session) {
        return std::ranges::find(sessions, session.id, &PrivateSession::id) == sessions.cend();
    };
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (!isGone(m_sessions.at(row)))
            continue;
        beginRemoveRows({}, row, row);
        m_sessions.removeAt(row);
        endRemoveRows();
    }
    if (m_sessions.size() < sessions.size() && sameRows(sessions.first(m_sessions.size()))) {
        beginInsertRows({}, rowCount(), int(sessions.size()) - 1);
        m_sessions = sessions;
        endInsertRows();
    } else if (!sameRows(sessions)) {
        beginResetModel();
        m_sessions = sessions;
        endResetModel();
    }
    m_sessions = sessions;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int SessionsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_sessions.size());
}

int SessionsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString SessionsModel::text(const PrivateSession &session, int column) const
{
    switch (column) {
    case Application:
        return shown(session.application);
    case State:
        return SessionWords::state(session.state);
    case Since:
        return Words::dateAndTime(session.since);
    case Written:
        return SessionWords::written(session);
    case Memory:
        return Words::bytes(session.memory);
    case Swap:
        return Words::bytes(session.swap);
    case Network:
        return SessionWords::network(session);
    default:
        return {};
    }
}

QVariant SessionsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_sessions.size())
        return {};
    const PrivateSession &session = m_sessions.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return text(session, index.column());
    case Qt::TextAlignmentRole:
        if (index.column() >= Written && index.column() <= Swap)
            return QVariant::fromValue(Qt::AlignTrailing | Qt::AlignVCenter);
        return {};
    case IdRole:
        return session.id;
    default:
        return {};
    }
}

QVariant SessionsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Application:
        return tr("Program");
    case State:
        return tr("State");
    case Since:
        return tr("Since");
    case Written:
        return tr("Written");
    case Memory:
        return tr("Memory");
    case Swap:
        return tr("Swap");
    case Network:
        return tr("Network");
    default:
        return {};
    }
}

} // namespace Tacet
