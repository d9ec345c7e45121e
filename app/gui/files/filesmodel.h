// SPDX-License-Identifier: GPL-3.0-or-later
// The labelled files, fetched from the daemon in pages as the view scrolls.
#pragma once

#include "base/labelledfile.h"

#include <QAbstractTableModel>

namespace Tacet {

class FilesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Folder, Category, Why, Since, ColumnCount };
    enum Role { PathRole = Qt::UserRole + 1 };
    static constexpr quint32 pageSize = 200;

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

    // Reads again as much as is shown; the rows stay until all of it is there.
    void reload();
    void takePage(const FilePage &page);
    // A filter must see every file.
    void fetchAll();
    // The daemon is gone, or refused: an answer that is awaited may never come.
    void forgetRequest() { m_requested = false; }

    quint32 total() const { return m_total; }

Q_SIGNALS:
    void pageWanted(quint32 offset, quint32 limit);
    void loaded();

private:
    void request(quint32 offset);
    void appendPage(const FilePage &page);
    void finishReload();
    QString text(const LabelledFile &file, int column) const;

    QList<LabelledFile> m_files;
    quint32 m_next = 0; // the daemon's offset after the last row
    quint32 m_total = 0;
    QList<LabelledFile> m_reloaded;
    bool m_reloading = false;
    bool m_requested = false;
    bool m_outdated = false;
    bool m_all = false;
};

} // namespace Tacet
