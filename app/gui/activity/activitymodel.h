// SPDX-License-Identifier: GPL-3.0-or-later
// The daemon's log, newest first; older entries are fetched as the view scrolls, new ones as they happen.
#pragma once

#include "base/logentry.h"

#include <QAbstractTableModel>

namespace Tacet {

class ActivityModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { When, Event, App, File, Destination, ColumnCount };
    enum Role { SearchRole = Qt::UserRole + 1 };
    static constexpr quint32 pageSize = 200;
    static constexpr quint32 maximumPage = 1000;

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

    const LogEntry &entry(int row) const { return m_entries.at(row); }

    // Something was logged, or the daemon is back.
    void refresh();
    void takeEntries(quint64 after, const QList<LogEntry> &entries);
    void forgetRequest();

Q_SIGNALS:
    void entriesWanted(quint64 after, quint32 limit);
    void loaded();

private:
    void request(quint64 after, quint32 limit);
    void takeNewer(const QList<LogEntry> &entries);
    void takeOlder(const QList<LogEntry> &entries);
    QString text(const LogEntry &entry, int column) const;

    QList<LogEntry> m_entries; // descending ids
    quint64 m_oldestAsked = 0; // every id from here on was asked for
    quint32 m_window = pageSize;
    bool m_requested = false;
    bool m_outdated = false;
};

} // namespace Tacet
