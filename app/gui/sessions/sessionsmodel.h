// SPDX-License-Identifier: GPL-3.0-or-later
// The private sessions as a table; a session keeps its row's identity while its numbers change.
#pragma once

#include "base/privatesession.h"

#include <QAbstractTableModel>

namespace Tacet {

class SessionsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Application, State, Since, Written, Memory, Swap, Network, ColumnCount };
    enum Role { IdRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setSessions(const QList<PrivateSession> &sessions);
    const QList<PrivateSession> &sessions() const { return m_sessions; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    bool sameRows(const QList<PrivateSession> &sessions) const;
    QString text(const PrivateSession &session, int column) const;

    QList<PrivateSession> m_sessions;
};

} // namespace Tacet
