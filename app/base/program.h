// SPDX-License-Identifier: GPL-3.0-or-later
// Installed programs as their desktop entries tell them, found by GIO, and the command line of one.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace Tacet {

struct Program
{
    QString id;   // "org.kde.okular.desktop"; empty for an entry that is not installed
    QString file; // of the entry
    QString name;
    QString comment;
    QString icon;         // a name in the icon theme, or a path
    QStringList keywords; // generic name, categories' words, the executable: what a person may search for
    QString exec;         // the key Exec as it stands
    QString directory;    // where it starts; empty: anywhere
    bool terminal = false;
    bool alwaysPrivate = false; // its entry is ours, and exec is that of the one it replaces

    // Whether one process opens many files.
    bool takesMany() const;
    // Every word of the text is somewhere in what the entry says.
    bool matches(const QString &text) const;
    bool operator==(const Program &) const = default;
};

// Returns the programs that this desktop's menu would show, sorted by name.
QList<Program> installedPrograms();
// Nothing: it cannot be read, is hidden, lacks its program, or is no program's.
std::optional<Program> programOfEntry(const QString &file);
// Returns the program that opens files of this type; a name of the shared MIME database.
std::optional<Program> defaultProgram(const QString &mimeType);

// The argument vector with the files in the place of the field codes. Nothing: Exec is malformed.
std::optional<QStringList> expandExec(const Program &program, const QStringList &files);
// The same, in a terminal where the program wants one. Nothing also when there is no terminal.
std::optional<QStringList> commandOf(const Program &program, const QStringList &files);

} // namespace Tacet
