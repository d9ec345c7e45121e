// SPDX-License-Identifier: GPL-3.0-or-later
#include "promptsettings.h"

#include <QSettings>

using namespace Qt::StringLiterals;

namespace Tacet::PromptSettings {

Duration lastDuration()
{
    return durationOf(QSettings().value("prompt/duration"_L1).toString()).value_or(Duration::Once);
}

void remember(const Answer &answer)
{
    if (answer.verdict != Verdict::Allow)
        QSettings().setValue("prompt/duration"_L1, codeOf(answer.duration));
}

} // namespace Tacet::PromptSettings
