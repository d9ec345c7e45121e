// SPDX-License-Identifier: GPL-3.0-or-later
#include "filesmodel.h"

#include "base/untrusted.h"
#include "base/words.h"

using namespace Qt::StringLiterals;

namespace Tacet {

int FilesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_files.size());
}

int FilesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString FilesModel::text(const LabelledFile &file, int column) const
{
    switch (column) {
    case Name:
        return file.missing ? tr("%1 (not found)").arg(shown(file.path.section(u'/', -1))) : shown(file.path.section(u'/', -1));
    case Folder:
        return shownPath(file.path.section(u'/', 0, -2), 200);
    case Category:
        return Words::categories(file.categories);
    case Why:
        return file.derived ? tr("Derived: a program wrote it") : tr("Marked by you");
    case Since:
        return Words::dateAndTime(file.since);
    default:
        return {};
    }
}

QVariant FilesModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_files.size())
        return {};
    const LabelledFile &file = m_files.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(file, index.column());
    case Qt::ToolTipRole:
        return shown(file.path, 4096);
    case PathRole:
        return file.path;
    default:
        return {};
    }
}

QVariant FilesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("File");
    case Folder:
        return tr("Folder");
    case Category:
        return tr("Category");
    case Why:
        return tr("Why");
    case Since:
        return tr("Since");
    default:
        return {};
    }
}

bool FilesModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && m_next < m_total && !m_requested;
}

void FilesModel::fetchMore(const QModelIndex &parent)
{
    if (canFetchMore(parent))
        request(m_next);
}

void FilesModel::fetchAll()
{
    m_all = true;
    fetchMore({});
}

void FilesModel::request(quint32 offset)
{
    m_requested = true;
    Q_EMIT pageWanted(offset, m_all ? 1000 : pageSize);
}

void FilesModel::reload()
{
    if (m_requested) {
        m_outdated = true;
        return;
    }
    m_outdated = false;
    m_reloading = true;
    m_reloaded.clear();
    request(0);
}

void FilesModel::takePage(const FilePage &page)
{
    m_requested = false;
    if (m_outdated) {
        reload();
        return;
    }
    m_total = page.total;
    if (!m_reloading) {
        appendPage(page);
        return;
    }
    m_reloaded += page.files;
    const quint32 next = page.offset + page.listed;
    const bool enough = next >= page.total || page.listed == 0 || (!m_all && m_reloaded.size() >= m_files.size());
    if (!enough) {
        request(next);
        return;
    }
    m_next = next;
    finishReload();
}

void FilesModel::appendPage(const FilePage &page)
{
    m_next = page.listed == 0 ? m_total : page.offset + page.listed;
    if (!page.files.isEmpty()) {
        beginInsertRows({}, int(m_files.size()), int(m_files.size() + page.files.size() - 1));
        m_files += page.files;
        endInsertRows();
    }
    if (m_all)
        fetchMore({});
    Q_EMIT loaded();
}

// A view loses its place when the model is reset, so nothing happens where nothing changed.
void FilesModel::finishReload()
{
    m_reloading = false;
    if (m_reloaded != m_files) {
        beginResetModel();
        m_files = std::exchange(m_reloaded, {});
        endResetModel();
    }
    m_reloaded.clear();
    Q_EMIT loaded();
}

} // namespace Tacet
