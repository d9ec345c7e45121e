// SPDX-License-Identifier: GPL-3.0-or-later
#include "privatestart.h"

#include <QDir>
#include <QProcess>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

// tacet(1): 125 is its own failure; 126 and 127 are the shell's for a program that cannot be run.
bool isFailedStart(int status)
{
    return status >= 125 && status <= 127;
}

} // namespace

void PrivateStarter::start(const PrivateCommand &command, const PrivateOptions &options)
{
    // Without a parent and never deleted before it is over: a QProcess kills its program with itself, and a private session
    // must go on when this program quits.
    auto *process = new QProcess;
    // What the program prints is the session's and goes nowhere; so a failure is known by its number only.
    process->setStandardInputFile(QProcess::nullDevice());
    process->setStandardOutputFile(QProcess::nullDevice());
    process->setStandardErrorFile(QProcess::nullDevice());
    process->setWorkingDirectory(command.directory.isEmpty() ? QDir::homePath() : command.directory);
    process->setUnixProcessParameters({QProcess::UnixProcessFlag::CreateNewSession, 3});
    connect(process, &QProcess::finished, process, &QProcess::deleteLater);
    connect(process, &QProcess::finished, this, [this, process, name = command.name] { onFinished(process, name); });
    connect(process, &QProcess::errorOccurred, this, [this, process, name = command.name](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        process->deleteLater();
        Q_EMIT notStarted(name, tr("The program tacet was not found. It belongs to the package tacet."));
    });
    process->start(u"tacet"_s, PrivateCommands::tacetArguments(command, options));
}

void PrivateStarter::onFinished(QProcess *process, const QString &name)
{
    if (process->exitStatus() == QProcess::NormalExit && isFailedStart(process->exitCode()))
        Q_EMIT notStarted(name,
                          process->exitCode() == 125
                              ? tr("No private session could be made. In a terminal, “tacet run” says why.")
                              : tr("Its program could not be started."));
}

} // namespace Tacet
