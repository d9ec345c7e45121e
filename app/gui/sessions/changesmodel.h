// SPDX-License-Identifier: GPL-3.0-or-later
// The changes of a session, as a tree of folders with a box to tick for each file and each folder.
#pragma once

#include "base/privatesession.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace Tacet {

class ChangesModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { Name, Type, Kind, Size, ColumnCount };

    explicit ChangesModel(QObject *parent = nullptr);
    ~ChangesModel() override;

    // Nothing is chosen then.
    void setChanges(const QList<SessionChange> &changes);
    const QList<SessionChange> &changes() const { return m_changes; }
    // Ticks stay; a folder's box stands for what is shown of it.
    void setFilter(const QString &text, bool hidden);

    QList<int> chosen() const;
    quint64 chosenSize() const;
    int shownCount() const { return m_shown; }
    int hiddenCount() const { return m_hidden; }

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void chosenChanged();

private:
    struct Node;

    void rebuild();
    Node *nodeOf(const QModelIndex &index) const;
    Qt::CheckState checkState(const Node &node) const;
    void choose(const Node &node, bool chosen);
    QString text(const Node &node, int column) const;

    QList<SessionChange> m_changes;
    std::vector<bool> m_chosen;
    QString m_filter;
    bool m_showHidden = false;
    int m_shown = 0;
    int m_hidden = 0;
    std::unique_ptr<Node> m_root;
};

} // namespace Tacet
