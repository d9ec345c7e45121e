// SPDX-License-Identifier: GPL-3.0-or-later
#include "privatestart.h"

#include "launchers/private_launcher.h"
#include "untrusted.h"

#include <QDir>
#include <QFileInfo>
#include <QMimeDatabase>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

// By its content: on some file systems every document is executable.
bool isProgram(const QFileInfo &info)
{
    if (!info.isFile() || !info.isExecutable())
        return false;
    QFile file(info.filePath());
    if (!file.open(QIODevice::ReadOnly))
        return true; // may be run but not read
    const QByteArray start = file.read(4);
    return start.startsWith("#!") || start == "\177ELF";
}

bool isEntry(const QFileInfo &info)
{
    return info.isFile() && info.suffix() == "desktop"_L1;
}

// A downloaded entry can look like a document and run anything: as in file managers, it must be installed or executable.
bool isTrusted(const QFileInfo &info)
{
    if (info.isExecutable())
        return true;
    const QStringList folders = QStandardPaths::standardLocations(QStandardPaths::ApplicationsLocation);
    for (const QString &folder : folders) {
        const QString canonical = QFileInfo(folder).canonicalFilePath(); // empty: there is no such folder
        if (!canonical.isEmpty() && info.canonicalFilePath().startsWith(canonical + u'/'))
            return true;
    }
    return false;
}

} // namespace

PrivateCommand PrivateCommands::ofProgram(const Program &program, const QStringList &files)
{
    const QString directory = QFileInfo(program.directory).isDir() ? program.directory : QString();
    return {.name = program.name, .command = commandOf(program, files).value_or(QStringList()), .directory = directory};
}

std::optional<Program> PrivateCommands::openerOf(const QString &file)
{
    const QMimeType type = QMimeDatabase().mimeTypeForFile(file);
    const QStringList names = QStringList{type.name()} + type.allAncestors();
    for (const QString &name : names) {
        if (auto program = defaultProgram(name))
            return program;
    }
    return std::nullopt;
}

QString PrivateCommands::problemOf(const QString &file)
{
    const QFileInfo info(file);
    const QString name = shownPath(file);
    if (!info.exists())
        return tr("%1 does not exist.").arg(name);
    if (!info.isReadable() && !isProgram(info))
        return tr("%1 cannot be read.").arg(name);
    if (isEntry(info) && !isTrusted(info))
        return tr("%1 starts a program but is not marked as executable.").arg(name);
    if (isEntry(info))
        return tr("%1 does not name a program that can be started.").arg(name);
    return tr("No program is installed that opens %1.").arg(name);
}

QList<PrivateCommand> PrivateCommands::ofFiles(const QStringList &files, QStringList *ret_problems)
{
    QList<PrivateCommand> commands;
    QList<std::pair<Program, QStringList>> documents;
    for (const QString &file : files) {
        const QFileInfo info(file);
        const bool entry = isEntry(info);
        if (isProgram(info) && !entry) {
            commands.append({.name = info.fileName(), .command = {info.absoluteFilePath()}, .directory = info.absolutePath()});
            continue;
        }
        std::optional<Program> program;
        if (entry && isTrusted(info))
            program = programOfEntry(info.absoluteFilePath());
        else if (!entry && info.exists() && info.isReadable())
            program = openerOf(info.absoluteFilePath());
        if (!program || !commandOf(*program, {})) {
            ret_problems->append(problemOf(file));
            continue;
        }
        const QStringList opened = entry ? QStringList() : QStringList{info.absoluteFilePath()};
        const auto same = std::ranges::find(documents, *program, &std::pair<Program, QStringList>::first);
        if (same != documents.end() && !entry && program->takesMany())
            same->second += opened;
        else
            documents.append({*program, opened});
    }
    for (const auto &[program, opened] : std::as_const(documents))
        commands.append(ofProgram(program, opened));
    return commands;
}

QStringList PrivateCommands::optionWords(const PrivateOptions &options)
{
    QStringList words{u"--net"_s, options.network ? u"on"_s : u"off"_s, u"--audio"_s,
                      options.audio || options.screenReader ? u"on"_s : u"off"_s};
    if (options.screenReader)
        words << u"--screen-reader"_s << u"on"_s;
    if (options.sshAgent)
        words << u"--ssh-agent"_s << u"on"_s;
    if (options.onDisk)
        words << u"--store"_s << u"disk"_s;
    if (options.keep)
        words << u"--keep"_s;
    return words;
}

QStringList PrivateCommands::tacetArguments(const PrivateCommand &command, const PrivateOptions &options)
{
    QStringList words{u"run"_s, u"--name"_s, command.name};
    if (!options.box.isEmpty())
        words << u"--box"_s << options.box << u"--passphrase-file"_s << u"/dev/stdin"_s;
    return words << optionWords(options) << u"--"_s << command.command;
}

QString PrivateCommands::setAlways(const Program &program, const PrivateOptions &options, bool always)
{
    std::vector<std::string> words;
    for (const QString &word : optionWords(options))
        words.push_back(word.toStdString());
    const std::string id = program.id.toStdString();
    const auto done = always ? tacet::always_start_privately(id, words) : tacet::start_publicly_again(id);
    return done ? QString() : QString::fromStdString(done.error().message);
}

} // namespace Tacet
