// SPDX-License-Identifier: GPL-3.0-or-later
// Starts programs privately: what to run for a file, and `tacet run`, which outlives this program.
#pragma once

#include "program.h"

#include <QCoreApplication>
#include <QObject>

namespace Tacet {

struct PrivateOptions
{
    bool network = true;
    bool audio = false;
    bool screenReader = false; // which needs sound
    bool sshAgent = false;
    bool onDisk = false; // false: in memory, or where there is room
    bool keep = true;    // at the end it waits for the person to keep files
    QString box;         // in which its changes stay; empty: none
    QByteArray passphrase;
};

struct PrivateCommand
{
    QString name; // for the title of its window
    QStringList command;
    QString directory;

    bool operator==(const PrivateCommand &) const = default;
};

// Returns what "Open privately" runs: a document's default program, or the program or desktop entry itself.
class PrivateCommands
{
    Q_DECLARE_TR_FUNCTIONS(PrivateCommands)

public:
    static PrivateCommand ofProgram(const Program &program, const QStringList &files = {});
    // Documents of one program that opens many share a session. Why a file cannot be opened goes to ret_problems.
    static QList<PrivateCommand> ofFiles(const QStringList &files, QStringList *ret_problems);
    static QStringList tacetArguments(const PrivateCommand &command, const PrivateOptions &options);
    // Whether menus, links and documents start the program privately from now on. Returns why not; empty: they do.
    static QString setAlways(const Program &program, const PrivateOptions &options, bool always);

private:
    static QStringList optionWords(const PrivateOptions &options);
    static QString problemOf(const QString &file);
    static std::optional<Program> openerOf(const QString &file);
};

class PrivateStarter : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    void start(const PrivateCommand &command, const PrivateOptions &options);
    // The person ends sessions: that one of those started before ends now is no failure.
    void expectEnd() { ++m_ends; }

Q_SIGNALS:
    void notStarted(const QString &name, const QString &why);

private:
    static QString failureOf(int status, bool hasBox);

    int m_ends = 0;
};

} // namespace Tacet
