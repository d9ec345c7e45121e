// SPDX-License-Identifier: GPL-3.0-or-later
// Copies what the person picked out of a private session, one file after the other.
#pragma once

#include "daemonlink.h"
#include "keepplace.h"
#include "privatesession.h"

#include "common/kept_file.h"

#include <QObject>

#include <memory>

namespace Tacet {

struct KeepFailure
{
    QByteArray path; // in the session
    QString why;
};

class Keeper : public QObject
{
    Q_OBJECT

public:
    enum class Existing { Replace, Skip };

    // all: the session's changes, of which chosen are indices. folder: where to, each file under its path from the deepest
    // folder that all chosen share; empty: to their original places.
    Keeper(quint64 session, const QList<SessionChange> &all, const QList<int> &chosen, const QByteArray &folder, QObject *parent = nullptr);

    // Why nothing can be kept there; empty: it can.
    QString problem() const;
    // Paths below the place that are taken already.
    QList<QByteArray> taken() const;

    void start(Existing existing);
    void cancel();
    void onCopied(quint64 session, const QByteArray &path);
    void onNotCopied(quint64 session, const QByteArray &path, const DaemonError &error);
    // The daemon or the session is gone: nothing will be answered any more.
    void abandon(const QString &why);

    bool isRunning() const { return m_running; }
    int total() const { return int(m_items.size()); }
    int kept() const { return m_kept; }
    int skipped() const { return m_skipped; }
    const QList<KeepFailure> &failures() const { return m_failures; }

Q_SIGNALS:
    void copyWanted(quint64 session, const QByteArray &path, int file);
    void progressed(int done);
    void finished();

private:
    struct Item
    {
        QByteArray path;
        QByteArray relative;
        quint32 mode = 0;
        quint64 modified = 0; // Unix s
    };

    void next();
    void finish();
    // Null: *ret_error is set.
    std::unique_ptr<::tacet::KeptFile> make(const Item &item, int *ret_error) const;
    bool isAwaited(quint64 session, const QByteArray &path) const;

    quint64 m_session;
    KeepPlace m_place;
    QList<Item> m_items;
    QHash<QByteArray, quint32> m_folderModes;
    std::unique_ptr<::tacet::KeptFile> m_file;
    Existing m_existing = Existing::Skip;
    qsizetype m_current = 0;
    int m_kept = 0;
    int m_skipped = 0;
    QList<KeepFailure> m_failures;
    bool m_running = false;
};

} // namespace Tacet
