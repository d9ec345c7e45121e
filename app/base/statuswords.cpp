// SPDX-License-Identifier: GPL-3.0-or-later
#include "statuswords.h"

#include "contract/methods.h"
#include "words.h"

#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

Condition conditionOf(const DaemonState &state)
{
    switch (state.connection) {
    case Connection::Connecting:
        return Condition::Connecting;
    case Connection::Absent:
        return Condition::Absent;
    case Connection::Denied:
        return Condition::Denied;
    case Connection::Mismatch:
        return Condition::Mismatch;
    case Connection::Ready:
        break;
    }
    // A question waits for at most a minute: it goes before everything that lasts.
    if (!state.questions.isEmpty())
        return Condition::Question;
    if (state.module != ModuleState::Active)
        return Condition::ModuleAbsent;
    if (state.isPaused())
        return Condition::Paused;
    if (!state.agentRegistered)
        return Condition::Unasked;
    // What is not enforced goes before what is: nobody must take a part for the whole.
    if (!std::ranges::all_of(state.protections, &Protection::enforced))
        return Condition::Partial;
    return state.sessions.isEmpty() ? Condition::Protected : Condition::Private;
}

QString StatusWords::moduleTitle(ModuleState module)
{
    switch (module) {
    case ModuleState::Mismatch:
        return tr("Not protected: the kernel module has another version than the daemon");
    case ModuleState::Busy:
        return tr("Not protected: another program holds the kernel module");
    default:
        return tr("Not protected: the kernel module is not loaded");
    }
}

QString StatusWords::withSessions(const QString &protection, const DaemonState &state)
{
    //: %1: "Protected" or "Protected in part"; %2: how many private sessions
    return tr("%1, %2").arg(protection, tr("%n private session(s)", nullptr, int(state.sessions.size())));
}

QString StatusWords::title(const DaemonState &state)
{
    switch (conditionOf(state)) {
    case Condition::Connecting:
        return tr("Connecting to the Tacet daemon…");
    case Condition::Protected:
        return tr("Protected");
    case Condition::Partial:
        return state.sessions.isEmpty() ? tr("Protected in part") : withSessions(tr("Protected in part"), state);
    case Condition::Private:
        return withSessions(tr("Protected"), state);
    case Condition::Paused:
        return tr("Paused until %1").arg(Words::time(state.pausedUntil));
    case Condition::Question:
        return tr("%n question(s) waiting for your answer", nullptr, int(state.questions.size()));
    case Condition::Absent:
        return tr("The Tacet daemon is not running");
    case Condition::ModuleAbsent:
        return moduleTitle(state.module);
    case Condition::Denied:
        return tr("You are not permitted to use Tacet from this session");
    case Condition::Mismatch:
        return tr("This window program and the Tacet daemon do not fit together");
    case Condition::Unasked:
        return tr("Protected, but questions do not reach you");
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString StatusWords::unenforced(const DaemonState &state)
{
    QStringList missing;
    for (const Protection &protection : state.protections) {
        if (protection.enforced)
            continue;
        // If the module is the cause, the title says so once for all.
        const bool explained = protection.detail.startsWith("module-"_L1);
        const QString detail = explained ? QString() : Words::protectionDetail(protection.detail);
        const QString name = Words::protection(protection.name);
        missing.append(detail.isEmpty() ? name : tr("%1 (%2)").arg(name, detail));
    }
    if (missing.isEmpty())
        return {};
    return tr("Not enforced: %1.").arg(missing.join(tr("; ")));
}

QString StatusWords::consequence(const DaemonState &state)
{
    switch (conditionOf(state)) {
    case Condition::Connecting:
    case Condition::Question:
        return {};
    case Condition::Protected:
    case Condition::Partial:
    case Condition::Private:
        return unenforced(state);
    case Condition::Paused:
        return tr("Until then, sensitive data may be sent without a question. It is still logged.");
    case Condition::Absent:
        return tr("You cannot be asked: what your rules do not allow is blocked by the kernel module if it is loaded. "
                  "You cannot mark other files as sensitive or change rules.");
    case Condition::ModuleAbsent: {
        const QString listed = unenforced(state);
        return listed.isEmpty() ? tr("Nothing that programs send is checked. Your sensitive files and your rules are remembered.") : listed;
    }
    case Condition::Denied:
        return tr("Protection goes on, but you cannot be asked here, and what you would have been asked about is blocked.");
    case Condition::Mismatch:
        return tr("Protection goes on, but this program does not show questions that it might misread; they are blocked. "
                  "It speaks contract %1, the daemon (version %2) speaks %3.")
            .arg(QLocale().toString(contract::version), state.version.isEmpty() ? tr("unknown") : state.version,
                 QLocale().toString(state.contract));
    case Condition::Unasked:
        if (state.agentRefused == ErrorCode::TooMany)
            return tr("Too many programs have registered to show your questions. What you would have been asked about is blocked.");
        return tr("The daemon asks only in the active session. What you would have been asked about is blocked.");
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString StatusWords::moduleRemedy(ModuleState module)
{
    switch (module) {
    case ModuleState::Mismatch:
        return tr("Restart the computer, or reload the module: <code>sudo modprobe -r tacet; sudo modprobe tacet</code>");
    case ModuleState::Busy:
        return tr("End the program that has <code>/dev/tacet</code> open; <code>tacet doctor</code> says which it is.");
    default:
        return tr("Load it with <code>sudo modprobe tacet</code>; <code>tacet doctor</code> says what hinders it.");
    }
}

QString StatusWords::remedy(const DaemonState &state)
{
    switch (conditionOf(state)) {
    case Condition::Absent:
        return tr("Start it with <code>sudo systemctl start tacetd</code>, then try again.");
    case Condition::ModuleAbsent:
        return moduleRemedy(state.module);
    case Condition::Denied:
        return tr("Log in at the computer itself, or ask its administrator.");
    case Condition::Mismatch:
        return tr("Restart this program. If that does not help, update Tacet and restart the computer.");
    case Condition::Unasked:
        if (state.agentRefused == ErrorCode::TooMany)
            return tr("Quit the window programs of Tacet that you do not need. This one tries again by itself.");
        return tr("It is asked for again by itself when this session becomes active.");
    default:
        return {};
    }
}

QString StatusWords::whyUnusable(const DaemonState &state)
{
    return state.isReady() ? QString() : title(state);
}

} // namespace Tacet
