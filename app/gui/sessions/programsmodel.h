// SPDX-License-Identifier: GPL-3.0-or-later
// The installed programs that match what the person typed.
#pragma once

#include "base/program.h"

#include <QAbstractTableModel>

namespace Tacet {

class ProgramsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Comment, ColumnCount };

    explicit ProgramsModel(const QList<Program> &programs, QObject *parent = nullptr);

    void search(const QString &text);
    const Program &program(int row) const { return m_found.at(row); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    QList<Program> m_programs;
    QList<Program> m_found;
};

} // namespace Tacet
