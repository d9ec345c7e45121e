// SPDX-License-Identifier: GPL-3.0-or-later
#include "activitymodel.h"

#include "base/logwords.h"
#include "base/untrusted.h"
#include "base/words.h"

using namespace Qt::StringLiterals;

namespace Tacet {

int ActivityModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_entries.size());
}

int ActivityModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ActivityModel::text(const LogEntry &entry, int column) const
{
    switch (column) {
    case When:
        return Words::dateAndTime(entry.time);
    case Event:
        return LogWords::event(entry);
    case App:
        return shown(entry.appName(), 60);
    case File:
        return shownPath(entry.file, 200);
    case Destination:
        return LogWords::destination(entry);
    default:
        return {};
    }
}

QVariant ActivityModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_entries.size())
        return {};
    const LogEntry &entry = m_entries.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(entry, index.column());
    case Qt::ToolTipRole:
        if (index.column() == App)
            return tr("%1, process %2").arg(shown(entry.executable, 4096), QString::number(entry.pid));
        return text(entry, index.column());
    case SearchRole:
        return QStringList{text(entry, Event), entry.executable, entry.file, entry.host}.join(u'\n');
    default:
        return {};
    }
}

QVariant ActivityModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case When:
        return tr("When");
    case Event:
        return tr("What happened");
    case App:
        return tr("App");
    case File:
        return tr("File");
    case Destination:
        return tr("Destination");
    default:
        return {};
    }
}

// `after` 0 means "the newest" to the daemon, so the walk back ends at 1.
bool ActivityModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && !m_requested && m_oldestAsked > 2;
}

void ActivityModel::fetchMore(const QModelIndex &parent)
{
    if (!canFetchMore(parent))
        return;
    const quint64 before = m_oldestAsked - 1;
    const quint32 limit = quint32(qMin<quint64>(m_window, before - 1));
    m_oldestAsked = before - limit + 1;
    request(before - limit, limit);
}

void ActivityModel::refresh()
{
    if (m_requested)
        m_outdated = true;
    else if (m_entries.isEmpty())
        request(0, pageSize);
    else
        request(m_entries.constFirst().id, maximumPage);
}

void ActivityModel::forgetRequest()
{
    m_requested = false;
    m_outdated = false;
}

void ActivityModel::request(quint64 after, quint32 limit)
{
    m_requested = true;
    Q_EMIT entriesWanted(after, limit);
}

void ActivityModel::takeEntries(quint64 after, const QList<LogEntry> &entries)
{
    m_requested = false;
    const bool older = !m_entries.isEmpty() && after < m_entries.constLast().id;
    if (older)
        takeOlder(entries);
    else
        takeNewer(entries);
    if (m_outdated || (!older && entries.size() == maximumPage)) {
        m_outdated = false;
        refresh();
    } else if (older && entries.isEmpty()) {
        // Ids are shared between users: where others were busy, one has to look further back.
        m_window = qMin(m_window * 2, maximumPage);
        fetchMore({});
    }
    Q_EMIT loaded();
}

void ActivityModel::takeNewer(const QList<LogEntry> &entries)
{
    QList<LogEntry> added;
    const quint64 newest = m_entries.isEmpty() ? 0 : m_entries.constFirst().id;
    for (const LogEntry &entry : entries) {
        if (entry.id > newest)
            added.prepend(entry);
    }
    if (added.isEmpty())
        return;
    if (m_entries.isEmpty())
        m_oldestAsked = added.constLast().id;
    beginInsertRows({}, 0, int(added.size() - 1));
    m_entries = added + m_entries;
    endInsertRows();
}

void ActivityModel::takeOlder(const QList<LogEntry> &entries)
{
    QList<LogEntry> added;
    const quint64 oldest = m_entries.constLast().id;
    for (const LogEntry &entry : entries) {
        if (entry.id < oldest)
            added.prepend(entry);
    }
    if (added.isEmpty())
        return;
    beginInsertRows({}, int(m_entries.size()), int(m_entries.size() + added.size() - 1));
    m_entries += added;
    endInsertRows();
}

} // namespace Tacet
