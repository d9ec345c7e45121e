// SPDX-License-Identifier: GPL-3.0-or-later
#include "programsmodel.h"

#include "base/untrusted.h"

#include <QIcon>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

QIcon iconOf(const Program &program)
{
    const QIcon unknown = QIcon::fromTheme(u"application-x-executable"_s);
    if (program.icon.startsWith(u'/'))
        return QIcon(program.icon);
    return program.icon.isEmpty() ? unknown : QIcon::fromTheme(program.icon, unknown);
}

} // namespace

ProgramsModel::ProgramsModel(const QList<Program> &programs, QObject *parent)
    : QAbstractTableModel(parent), m_programs(programs), m_found(programs)
{
}

// Names that begin with the typed text come before those that only contain it.
void ProgramsModel::search(const QString &text)
{
    beginResetModel();
    m_found.clear();
    std::ranges::copy_if(m_programs, std::back_inserter(m_found), [&text](const Program &program) { return program.matches(text); });
    const QString start = text.trimmed();
    std::ranges::stable_partition(m_found,
                                  [&start](const Program &program) { return program.name.startsWith(start, Qt::CaseInsensitive); });
    endResetModel();
}

int ProgramsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_found.size());
}

int ProgramsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProgramsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_found.size())
        return {};
    const Program &program = m_found.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Name ? shown(program.name) : shown(program.comment, 200);
    case Qt::ToolTipRole:
        return shown(program.comment, 400);
    case Qt::DecorationRole:
        return index.column() == Name ? QVariant(iconOf(program)) : QVariant();
    default:
        return {};
    }
}

} // namespace Tacet
