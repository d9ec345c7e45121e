// SPDX-License-Identifier: GPL-3.0-or-later
// The font for bytes and command lines.
#pragma once

#include <QFontDatabase>
#include <QFontInfo>

namespace Tacet {

// Some platform themes (LXQt's without a setting) name a proportional font as the fixed one.
inline QFont fixedFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (!QFontInfo(font).fixedPitch()) {
        font.setFamily(QStringLiteral("monospace"));
        font.setStyleHint(QFont::Monospace);
    }
    return font;
}

} // namespace Tacet
