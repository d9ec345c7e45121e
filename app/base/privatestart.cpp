// SPDX-License-Identifier: GPL-3.0-or-later
#include "privatestart.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

// A program that fails so soon has hardly shown a window: then nobody but us can say that something went wrong.
constexpr qint64 soonMilliseconds = 15'000;

bool isFailedStart(const QProcess &process, qint64 milliseconds)
{
    return process.exitStatus() == QProcess::NormalExit && process.exitCode() != 0 && milliseconds < soonMilliseconds;
}

} // namespace

void PrivateStarter::start(const PrivateCommand &command, const PrivateOptions &options)
{
    // Without a parent and never deleted before it is over: a QProcess kills its program with itself, and a private session
    // must go on when this program quits.
    auto *process = new QProcess;
    // The program's output belongs to the session and goes nowhere, so a failure is known by its number only.
    const bool hasBox = !options.box.isEmpty();
    if (!hasBox)
        process->setStandardInputFile(QProcess::nullDevice());
    process->setStandardOutputFile(QProcess::nullDevice());
    process->setStandardErrorFile(QProcess::nullDevice());
    process->setWorkingDirectory(command.directory.isEmpty() ? QDir::homePath() : command.directory);
    process->setUnixProcessParameters({QProcess::UnixProcessFlag::CreateNewSession, 3});
    connect(process, &QProcess::finished, process, &QProcess::deleteLater);
    QElapsedTimer age;
    age.start();
    connect(process, &QProcess::finished, this, [this, process, age, ends = m_ends, hasBox, name = command.name] {
        if (ends == m_ends && isFailedStart(*process, age.elapsed()))
            Q_EMIT notStarted(name, failureOf(process->exitCode(), hasBox));
    });
    connect(process, &QProcess::errorOccurred, this, [this, process, name = command.name](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        process->deleteLater();
        Q_EMIT notStarted(name, tr("The program tacet was not found. It belongs to the package tacet."));
    });
    process->start(u"tacet"_s, PrivateCommands::tacetArguments(command, options));
    if (hasBox) {
        process->write(options.passphrase + '\n');
        process->closeWriteChannel();
    }
}

QString PrivateStarter::failureOf(int status, bool hasBox)
{
    switch (status) {
    case 3: // tacet(1)
        return tr("The Tacet daemon is not running.");
    case 125:
        return hasBox ? tr("The box could not be opened. Was its passphrase right?")
                      : tr("No private session could be made. In a terminal, “tacet run” says why.");
    case 126:
    case 127:
        return tr("Its program could not be started.");
    default:
        return tr("It ended at once, with status %1. In a terminal, “tacet run” may say more.").arg(status);
    }
}

} // namespace Tacet
