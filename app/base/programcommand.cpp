// SPDX-License-Identifier: GPL-3.0-or-later
// The key Exec of the Desktop Entry Specification, and terminals.
#include "program.h"

#include <QStandardPaths>
#include <QUrl>

#include <glib.h>

#include <array>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

// As GIO splits it: entries in the wild use single quotes too, which the specification does not know.
std::optional<QStringList> splitExec(const QString &exec)
{
    char **words = nullptr;
    if (!g_shell_parse_argv(exec.toUtf8().constData(), nullptr, &words, nullptr))
        return std::nullopt;
    QStringList result;
    for (char **word = words; *word; ++word)
        result.append(QString::fromUtf8(*word));
    g_strfreev(words);
    return result;
}

QString asUrl(const QString &file)
{
    return QString::fromUtf8(QUrl::fromLocalFile(file).toEncoded());
}

QStringList asUrls(const QStringList &files)
{
    QStringList urls;
    for (const QString &file : files)
        urls.append(asUrl(file));
    return urls;
}

// The text for a code inside an argument. Nothing: there is no such code.
std::optional<QString> textOfCode(QChar code, const Program &program, const QStringList &files)
{
    switch (code.unicode()) {
    case u'%':
        return u"%"_s;
    case u'f':
    case u'F':
        return files.value(0);
    case u'u':
    case u'U':
        return files.isEmpty() ? QString() : asUrl(files.first());
    case u'c':
        return program.name;
    case u'k':
        return program.file;
    case u'i': // has a meaning only as an argument of its own
    case u'd': // these were withdrawn; they are to be left out
    case u'D':
    case u'n':
    case u'N':
    case u'v':
    case u'm':
        return QString();
    default:
        return std::nullopt;
    }
}

std::optional<QString> expandWord(const QString &word, const Program &program, const QStringList &files)
{
    QString result;
    for (qsizetype index = 0; index < word.size(); ++index) {
        if (word.at(index) != u'%') {
            result.append(word.at(index));
            continue;
        }
        ++index;
        const auto text = index < word.size() ? textOfCode(word.at(index), program, files) : std::nullopt;
        if (!text)
            return std::nullopt;
        result.append(*text);
    }
    return result;
}

// An argument that is one code and nothing else may become none, or many.
std::optional<QStringList> expandWhole(const QString &word, const Program &program, const QStringList &files)
{
    if (word.size() != 2 || word.at(0) != u'%')
        return std::nullopt;
    switch (word.at(1).unicode()) {
    case u'f':
        return files.first(qMin(files.size(), 1));
    case u'F':
        return files;
    case u'u':
        return asUrls(files.first(qMin(files.size(), 1)));
    case u'U':
        return asUrls(files);
    case u'i':
        return program.icon.isEmpty() ? QStringList() : QStringList{u"--icon"_s, program.icon};
    case u'd':
    case u'D':
    case u'n':
    case u'N':
    case u'v':
    case u'm':
        return QStringList();
    default:
        return std::nullopt;
    }
}

bool takesFiles(const QString &exec)
{
    for (const QString &code : {u"%f"_s, u"%F"_s, u"%u"_s, u"%U"_s}) {
        if (exec.contains(code))
            return true;
    }
    return false;
}

// Debian's alternative takes the command after -e by policy; the others are the usual ones elsewhere.
QStringList terminalCommand()
{
    static const std::array terminals{
        QStringList{u"x-terminal-emulator"_s, u"-e"_s}, QStringList{u"xdg-terminal-exec"_s}, QStringList{u"konsole"_s, u"-e"_s},
        QStringList{u"qterminal"_s, u"-e"_s},           QStringList{u"kgx"_s, u"--"_s},      QStringList{u"xterm"_s, u"-e"_s},
    };
    for (const QStringList &terminal : terminals) {
        if (!QStandardPaths::findExecutable(terminal.first()).isEmpty())
            return terminal;
    }
    return {};
}

} // namespace

bool Program::takesMany() const
{
    return exec.contains("%F"_L1) || exec.contains("%U"_L1);
}

std::optional<QStringList> expandExec(const Program &program, const QStringList &files)
{
    const auto words = splitExec(program.exec);
    if (!words)
        return std::nullopt;
    QStringList command;
    for (const QString &word : *words) {
        if (const auto whole = expandWhole(word, program, files)) {
            command.append(*whole);
            continue;
        }
        const auto expanded = expandWord(word, program, files);
        if (!expanded)
            return std::nullopt;
        command.append(*expanded);
    }
    // An entry without a code for files was chosen for one all the same: its program gets it as its last argument.
    if (!takesFiles(program.exec))
        command.append(files);
    if (command.isEmpty() || command.first().isEmpty())
        return std::nullopt;
    return command;
}

std::optional<QStringList> commandOf(const Program &program, const QStringList &files)
{
    auto command = expandExec(program, files);
    if (!command || !program.terminal)
        return command;
    const QStringList terminal = terminalCommand();
    if (terminal.isEmpty())
        return std::nullopt;
    return terminal + *command;
}

} // namespace Tacet
