// SPDX-License-Identifier: GPL-3.0-or-later
// A log entry in words.
#pragma once

#include "logentry.h"

#include <QCoreApplication>

namespace Tacet {

class LogWords
{
    Q_DECLARE_TR_FUNCTIONS(LogWords)

public:
    static QString event(const LogEntry &entry);
    static QString destination(const LogEntry &entry);

private:
    static QString decision(const LogEntry &entry);
    static QString changeDecision(Verdict verdict, bool removal);
};

} // namespace Tacet
