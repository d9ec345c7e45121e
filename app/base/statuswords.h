// SPDX-License-Identifier: GPL-3.0-or-later
// The state of protection in words: what holds, what is not enforced, and what the person can do.
#pragma once

#include "daemonstate.h"

#include <QCoreApplication>

namespace Tacet {

enum class Condition { Connecting, Protected, Partial, Private, Paused, Question, Absent, ModuleAbsent, Denied, Mismatch, Unasked };

// The one condition that matters most now.
Condition conditionOf(const DaemonState &state);

class StatusWords
{
    Q_DECLARE_TR_FUNCTIONS(StatusWords)

public:
    // One line: the tray's status line and the banner's title.
    static QString title(const DaemonState &state);
    // Tells what is not enforced, and since when or until when; empty when all is well.
    static QString consequence(const DaemonState &state);
    static QString remedy(const DaemonState &state);
    // Why this part of the program cannot be used; empty when it can.
    static QString whyUnusable(const DaemonState &state);

private:
    static QString withSessions(const QString &protection, const DaemonState &state);
    static QString moduleTitle(ModuleState module);
    static QString moduleRemedy(ModuleState module);
    static QString unenforced(const DaemonState &state);
};

} // namespace Tacet
