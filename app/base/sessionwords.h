// SPDX-License-Identifier: GPL-3.0-or-later
// Private sessions and what they wrote in the person's language.
#pragma once

#include "privatesession.h"

#include <QCoreApplication>

namespace Tacet {

class SessionWords
{
    Q_DECLARE_TR_FUNCTIONS(SessionWords)

public:
    static QString state(SessionState state);
    static QString type(ChangeType type);
    static QString kind(FileKind kind);
    // Tells how much the session wrote, and where that is stored.
    static QString written(const PrivateSession &session);
    static QString network(const PrivateSession &session);
    // An error of errno's, for the file that could not be kept.
    static QString fileError(int number);
};

} // namespace Tacet
