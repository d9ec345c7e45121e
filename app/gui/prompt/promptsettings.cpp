// SPDX-License-Identifier: GPL-3.0-or-later
#include "promptsettings.h"

#include <QSettings>

using namespace Qt::StringLiterals;

namespace Tacet::PromptSettings {

Duration lastDuration()
{
    return codeOf(QSettings().value("prompt/duration"_L1).toString(), contract::parse_duration).value_or(Duration::Once);
}

void remember(const Answer &answer)
{
    if (answer.verdict != Verdict::Allow)
        QSettings().setValue("prompt/duration"_L1, wordOf(answer.duration));
}

} // namespace Tacet::PromptSettings
