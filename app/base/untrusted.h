// SPDX-License-Identifier: GPL-3.0-or-later
// Makes text that a program or a remote host chose fit to be shown: it must not forge lines, reorder the sentence around
// it, hide characters or bring markup.
#pragma once

#include <QString>

namespace Tacet {

// Control, bidirectional-override and invisible characters become U+FFFD; longer text loses its middle.
QString shown(const QString &text, qsizetype limit = 120);

// shown(), bold, for rich text; isolated, so that a right-to-left name does not turn the sentence around.
QString shownBold(const QString &text, qsizetype limit = 60);

// A path with the person's home as "~".
QString shownPath(const QString &path, qsizetype limit = 60);
QString shownPathBold(const QString &path, qsizetype limit = 60);

// Arguments as one line that a shell would read the same way.
QString shownCommand(const QStringList &command, qsizetype limit = 2000);

} // namespace Tacet
