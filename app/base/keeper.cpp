// SPDX-License-Identifier: GPL-3.0-or-later
#include "keeper.h"

#include "sessionwords.h"
#include "words.h"

#include <cerrno>
#include <utility>

namespace Tacet {

namespace {

// With its last "/", so that what is left of a path below it is relative.
QByteArray commonFolder(const QList<SessionChange> &all, const QList<int> &chosen)
{
    QByteArray common;
    for (const int index : chosen) {
        const QByteArray &path = all.at(index).path;
        const QByteArray folder = path.left(path.lastIndexOf('/') + 1);
        if (common.isEmpty())
            common = folder;
        while (!folder.startsWith(common))
            common = common.left(common.lastIndexOf('/', -2) + 1);
    }
    return common.isEmpty() ? QByteArray("/") : common;
}

} // namespace

Keeper::Keeper(quint64 session, const QList<SessionChange> &all, const QList<int> &chosen, const QByteArray &folder, QObject *parent)
    : QObject(parent), m_session(session), m_place(folder.isEmpty() ? KeepPlace::original() : KeepPlace::at(folder))
{
    const QByteArray base = folder.isEmpty() ? QByteArray("/") : commonFolder(all, chosen);
    for (const int index : chosen) {
        const SessionChange &change = all.at(index);
        if (change.canBeKept())
            m_items.append({change.path, change.path.sliced(base.size()), change.mode, quint64(change.modified.toSecsSinceEpoch())});
    }
    for (const SessionChange &change : all) {
        if (change.kind == FileKind::Directory && change.type == ChangeType::Created && change.path.startsWith(base))
            m_folderModes.insert(change.path.sliced(base.size()), change.mode);
    }
}

QString Keeper::problem() const
{
    return m_place.isOpen() ? QString() : SessionWords::fileError(m_place.error());
}

QList<QByteArray> Keeper::taken() const
{
    QList<QByteArray> taken;
    for (const Item &item : m_items) {
        if (m_place.has(item.relative))
            taken.append(item.relative);
    }
    return taken;
}

void Keeper::start(Existing existing)
{
    m_existing = existing;
    m_running = true;
    next();
}

void Keeper::next()
{
    while (m_running && m_current < m_items.size()) {
        Q_EMIT progressed(int(m_current));
        const Item item = m_items.at(m_current);
        if (m_existing == Existing::Skip && m_place.has(item.relative)) {
            ++m_skipped;
            ++m_current;
            continue;
        }
        int error = 0;
        m_file = make(item, &error);
        if (m_file) {
            Q_EMIT copyWanted(m_session, item.path, m_file->file());
            return;
        }
        m_failures.append({item.path, SessionWords::fileError(error)});
        ++m_current;
    }
    if (m_running)
        finish();
}

std::unique_ptr<::tacet::KeptFile> Keeper::make(const Item &item, int *ret_error) const
{
    UniqueFd folder = m_place.parentOf(item.relative, m_folderModes, ret_error);
    if (!folder)
        return nullptr;
    const QByteArray name = item.relative.sliced(item.relative.lastIndexOf('/') + 1);
    auto file = ::tacet::KeptFile::make(std::move(folder), name.toStdString(), item.mode);
    *ret_error = file ? 0 : errno;
    return file;
}

bool Keeper::isAwaited(quint64 session, const QByteArray &path) const
{
    return m_running && m_file && session == m_session && m_items.at(m_current).path == path;
}

void Keeper::onCopied(quint64 session, const QByteArray &path)
{
    if (!isAwaited(session, path))
        return;
    const int error = m_file->commit(m_items.at(m_current).modified, m_existing == Existing::Replace);
    m_file.reset();
    if (error == EEXIST && m_existing == Existing::Skip)
        ++m_skipped; // made by somebody else meanwhile
    else if (error != 0)
        m_failures.append({path, SessionWords::fileError(error)});
    else
        ++m_kept;
    ++m_current;
    next();
}

void Keeper::onNotCopied(quint64 session, const QByteArray &path, const DaemonError &error)
{
    if (!isAwaited(session, path))
        return;
    m_file.reset();
    m_failures.append({path, Words::error(error.name, error.message)});
    ++m_current;
    next();
}

void Keeper::cancel()
{
    if (m_running)
        finish();
}

void Keeper::abandon(const QString &why)
{
    if (!m_running)
        return;
    for (; m_current < m_items.size(); ++m_current)
        m_failures.append({m_items.at(m_current).path, why});
    finish();
}

void Keeper::finish()
{
    m_running = false;
    m_file.reset();
    Q_EMIT progressed(int(m_current));
    Q_EMIT finished();
}

} // namespace Tacet
